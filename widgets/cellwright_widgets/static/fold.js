// A closed fold that there is no room for is filled when it is first opened, a little in each frame, so that neither the
// arrival of a long result, nor a thousand short ones, nor a click keeps the page from drawing. Until then its parts are
// plain data: a search in the page does not find what is in them, but what is shown, and all of it in a run of usual
// length. A text that grows is not data: what is added to it needs its element.
const MUCH = 1500; // nodes of a fold that are too many to be built before it is opened
const SLICE = 8; // milliseconds of building in one frame
let room = 6000; // nodes that may still be built into closed folds; what a page holds costs it at each change

function findsRoom(fold, children) {
  if (children.some(([, attributes]) => attributes?.class?.includes("cw-tail"))) return true;
  const most = Math.min(MUCH, room);
  let left = most;
  const count = (nodes) => nodes.every((node) => --left > 0 && (typeof node === "string" || count(node[2])));
  const fits = count(children);
  fold.room = fits ? most - left : 0;
  room -= fold.room;
  return fits;
}

function roomOf(root) {
  return [root, ...root.querySelectorAll("details")].reduce((sum, one) => sum + (one.room ?? 0), 0);
}

// what leaves the page gives back its room, and is not filled any further
function takeOff(root) {
  if (isOff(root)) return;
  room += roomOf(root);
  root.isOff = true;
}

function isOff(element) {
  return element !== null && (element.isOff || isOff(element.parentElement));
}

function fillWhenOpened(fold, children) {
  const [summary, ...rest] = children;
  fold.append(build(summary));
  fold.isFilled = false;
  fold.fill = (least) => {
    delete fold.fill;
    fillOn(fold, rest, 0, least);
  };
  fold.addEventListener("toggle", () => fold.fill?.(0), { once: true });
}

function isFilled(root) {
  return [root, ...root.querySelectorAll("details")].every((fold) => fold.isFilled !== false);
}

// at once as many as `least`, for as many stood there before; the others in their time
function fillOn(fold, children, from, least) {
  if (isOff(fold)) return;
  const end = performance.now() + SLICE;
  let next = from;
  while (next < children.length && (next < least || performance.now() < end)) fold.append(build(children[next++]));
  fold.isFilled = next === children.length;
  fold.closest("[data-place]")?.keep?.(fold);
  if (next < children.length) requestAnimationFrame(() => fillOn(fold, children, next, 0));
}
