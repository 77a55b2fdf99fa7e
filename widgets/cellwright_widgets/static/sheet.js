// The list of items: each has a place, and is put before the first one with a higher place. They stand in blocks, of
// which the page lays out and paints those in view.
const ITEMS = 50; // of a block

class Sheet {
  constructor(list) {
    this.list = list;
    this.items = new Map();
    this.last = -1;
  }

  put(place, node) {
    const old = this.items.get(place);
    if (old) takeOff(old); // first: what comes in its place finds the room that it had
    const fresh = build(node);
    fresh.dataset.place = place;
    if (old) {
      keepDone(old, fresh);
      const stay = staysWhereRead(old, fresh);
      old.replaceWith(fresh);
      stay();
    } else {
      this.add(fresh, this.follower(place));
    }
    this.items.set(place, fresh);
    this.last = Math.max(this.last, place);
  }

  grow(place, text) {
    const tail = this.items.get(place)?.querySelector(".cw-tail");
    if (tail) growBy(tail, text);
  }

  add(fresh, follower) {
    if (!follower) return this.block().append(fresh);
    follower.before(fresh);
    const block = fresh.parentElement;
    if (block.childElementCount <= ITEMS) return;
    block.after(make("div", "cw-items"));
    block.nextElementSibling.append(...[...block.children].slice(ITEMS / 2));
  }

  block() {
    const last = this.list.lastElementChild;
    if (last?.childElementCount < ITEMS) return last;
    return this.list.appendChild(make("div", "cw-items"));
  }

  follower(place) {
    if (place > this.last) return null;
    const higher = [...this.items.keys()].filter((other) => other > place);
    return higher.length ? this.items.get(Math.min(...higher)) : null;
  }
}

// A text that grows stands in blocks, and what is added lays out the last one alone: in one piece a page would lay out
// the whole text anew for each word. A block ends with a line, and where no line ends for long, after a word.
const BLOCK = 2000; // characters after which the end of a line ends the block
const LONGEST = 8000; // characters after which the end of a word does

function growBy(tail, text) {
  if (!tail.lastElementChild) wrap(tail);
  const block = tail.lastElementChild.firstChild;
  const end = (block.length > BLOCK && text.indexOf("\n") + 1) || (block.length > LONGEST && text.indexOf(" ") + 1) || 0;
  block.appendData(end ? text.slice(0, end) : text);
  if (!end) return;
  tail.append(make("div", "cw-block"));
  tail.lastElementChild.append(text.slice(end));
}

function wrap(tail) {
  const block = make("div", "cw-block");
  block.append(tail.textContent);
  tail.replaceChildren(block);
}

// What the person has done in a card stays when it is drawn anew: a fold that was opened or closed, a part that was
// answered. The fold that they stand in may be filled only later, and until then they wait; not in the old card, which
// would wait with them. In a card that is all there nothing waits: what has no place in it is over.
function keepDone(old, fresh) {
  const { folds, parts } = old.waiting ?? { folds: [], parts: [] };
  fresh.waiting = { folds: new Map([...folds, ...changedFolds(old)]), parts: [...parts, ...answeredParts(old)] };
  fresh.keep = (root) => {
    keepFolds(fresh.waiting.folds, root);
    keepParts(fresh.waiting.parts, root);
  };
  fresh.keep(fresh);
  for (const part of fresh.waiting.parts) part.remove();
  if (isFilled(fresh)) fresh.waiting.parts = [];
}

function namedFolds(root) {
  return [...(root.dataset.fold ? [root] : []), ...root.querySelectorAll("[data-fold]")];
}

function changedFolds(root) {
  const changed = namedFolds(root).filter((fold) => fold.open !== fold.wasOpen);
  return changed.map((fold) => [fold.dataset.fold, { open: fold.open, count: fold.childNodes.length }]);
}

function keepFolds(folds, root) {
  if (!folds.size) return;
  for (const fold of namedFolds(root)) {
    const { open, count } = folds.get(fold.dataset.fold) ?? {};
    if (open === undefined) continue;
    folds.delete(fold.dataset.fold);
    fold.open = open;
    if (open) fold.fill?.(count);
  }
}

// The output of a call that runs is at its end; whoever has scrolled up in it goes on reading where they are. The box
// grows from its end (column-reverse), so that its scrolling counts back from there.
function staysWhereRead(old, fresh) {
  const [before, now] = [old, fresh].map((card) => card.querySelector(".cw-follow"));
  const [back, height] = [before?.scrollTop ?? 0, before?.scrollHeight ?? 0];
  return () => { if (now && back < -8) now.scrollTop = back - (now.scrollHeight - height); };
}
