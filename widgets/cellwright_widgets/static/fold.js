// A closed fold that there is no room for is filled when it is first opened, a little in each frame, so that neither the
// arrival of a long result, nor a thousand short ones, nor a click keeps the page from drawing. Until then its parts are
// plain data: a search in the page does not find what is in them, but what is shown, and all of it in a run of usual
// length.
const MUCH = 1500; // nodes of a fold that are too many to be built before it is opened
const SLICE = 8; // milliseconds of building in one frame
let room = 6000; // nodes that may still be built into closed folds; what a page holds costs it at each change

function findsRoom(children) {
  const most = Math.min(MUCH, room);
  let left = most;
  const count = (nodes) => nodes.every((node) => --left > 0 && (typeof node === "string" || count(node[2])));
  const fits = count(children);
  if (fits) room -= most - left;
  return fits;
}

function fillWhenOpened(fold, children) {
  const [summary, ...rest] = children;
  fold.append(build(summary));
  fold.fill = () => {
    fold.removeEventListener("toggle", fold.fill);
    delete fold.fill;
    fillOn(fold, rest, 0);
  };
  fold.addEventListener("toggle", fold.fill);
}

function fillOn(fold, children, from) {
  const end = performance.now() + SLICE;
  let next = from;
  while (next < children.length && performance.now() < end) fold.append(build(children[next++]));
  if (next < children.length) requestAnimationFrame(() => fillOn(fold, children, next));
}
