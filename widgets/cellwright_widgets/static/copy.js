// What leaves the page by the clipboard. What is rounded for the eye is copied as it is, also by hand: one cell, or cells
// of several rows and columns.
function copyExact(event) {
  const selection = getSelection();
  const within = selection.rangeCount ? selection.getRangeAt(0).commonAncestorContainer : null;
  const table = (within instanceof Element ? within : within?.parentElement)?.closest(".cw-table");
  const isChosen = (cell) => selection.containsNode(cell, true) && !endsBefore(selection.getRangeAt(0), cell);
  const chosen = [...(table?.rows ?? [])].map((row) => [...row.cells].filter(isChosen));
  if (!chosen.flat().some((cell) => cell.matches(".cw-short"))) return;
  if (chosen.flat().length === 1 && selection.toString().trim() !== chosen.flat()[0].textContent) return; // a part of it
  const exact = (cell) => (cell.matches(".cw-short") ? cell.title : cell.innerText).trim();
  const rows = chosen.filter((cells) => cells.length).map((cells) => cells.map(exact).join("\t"));
  event.clipboardData.setData("text/plain", rows.join("\n"));
  event.preventDefault();
}

// a click on a whole cell selects up to the start of the next one
function endsBefore({ endContainer, endOffset }, cell) {
  return endOffset === 0 && cell.contains(endContainer);
}

// for a page that is not served safely, which has no clipboard
function copyByHand(text, control) {
  const area = document.createElement("textarea");
  area.value = text;
  control.after(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  control.focus({ preventScroll: true });
  return copied;
}
