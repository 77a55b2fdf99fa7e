// A closed fold that holds very much is filled when it is first opened, a little in each frame, so that neither the
// arrival of a long result nor a click keeps the page from drawing. Until then its parts are plain data.
const MUCH = 1500; // nodes; fewer are built at once
const SLICE = 8; // milliseconds of building in one frame

function isMuch(children) {
  let left = MUCH;
  const count = (nodes) => nodes.every((node) => --left > 0 && (typeof node === "string" || count(node[2])));
  return !count(children);
}

function fillWhenOpened(fold, children) {
  const [summary, ...rest] = children;
  fold.append(build(summary));
  const fill = () => {
    if (!fold.open) return;
    fold.removeEventListener("toggle", fill);
    fillOn(fold, rest, 0);
  };
  fold.addEventListener("toggle", fill);
}

function fillOn(fold, children, from) {
  const end = performance.now() + SLICE;
  let next = from;
  while (next < children.length && performance.now() < end) fold.append(build(children[next++]));
  if (next < children.length) requestAnimationFrame(() => fillOn(fold, children, next));
}
