// Keys on what we draw mean what they mean there: an arrow chooses or scrolls, a letter is no order. JupyterLab has
// shortcuts for the same keys and asks the element with the focus first, before any around it: so that one has to say
// that it has none. What plain widgets can't say of themselves, their name for a screen reader, is said here, too.
const SCROLLS = new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", " "]);

// no key on such elements below the root is a shortcut
function keepKeys(root, which = "*") {
  root.addEventListener("focusin", ({ target }) => { if (target.matches(which)) target.dataset.lmSuppressShortcuts = "true"; });
}

// a key that scrolls what has the focus leads to no other cell
function keepScrolling(root) {
  root.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !SCROLLS.has(key)) return;
    if (target.tabIndex >= 0 && target.scrollHeight > target.clientHeight + 1) event.stopPropagation();
  });
}

// a title alone is not read by every screen reader
function nameFields(root) {
  for (const field of root.querySelectorAll(":is(input, select, textarea)[title]:not([aria-label])")) {
    field.setAttribute("aria-label", field.title);
  }
}
