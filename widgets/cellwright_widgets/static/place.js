// Draws a view over each place in the document that its kernel has written a record for. The record stays in the saved
// notebook; on the page it gives way while the kernel is there to answer, and comes back when the view is closed.
const PAUSE = 100; // the document changes often while a run writes; looking once for many changes is enough

function overPlaces(model, draw) {
  const drawn = new Map();
  let due;

  const end = (place, { view, record }) => {
    view();
    place.replaceChildren(...record);
  };
  const look = () => {
    due = undefined;
    for (const [place, what] of drawn) {
      if (place.isConnected) continue;
      end(place, what);
      drawn.delete(place);
    }
    for (const place of document.querySelectorAll(".cw-place")) {
      if (place.dataset.place !== model.get("place") || drawn.has(place)) continue;
      const record = [...place.childNodes];
      place.replaceChildren();
      drawn.set(place, { view: draw({ model, el: place }), record });
    }
  };
  const observer = new MutationObserver(() => { due ??= setTimeout(look, PAUSE); });

  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return () => {
    observer.disconnect();
    clearTimeout(due);
    for (const [place, what] of drawn) end(place, what);
  };
}
