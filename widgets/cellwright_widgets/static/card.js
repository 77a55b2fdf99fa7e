// The way from a call that is taken apart to its card: in the transcript or the record of the same run, wherever on the
// page that stands. A run that is shown nowhere else has none.
function cardOf({ run, call }) {
  const runOf = (card) => card.closest(".cw-live, .cw-record")?.querySelector(".cw-head")?.dataset.run;
  const cards = [...document.querySelectorAll(".cw-call[data-call]")];
  return run ? cards.find((card) => card.dataset.call === call && runOf(card) === run) : undefined;
}

// opens what it is folded in, and gives it the focus
function goTo(card) {
  for (let fold = card; fold; fold = fold.parentElement?.closest("details")) fold.open = true;
  card.scrollIntoView({ block: "center" });
  card.querySelector("summary").focus({ preventScroll: true, focusVisible: true });
}

function offerCard(sheet) {
  const about = { ...sheet?.dataset };
  if (about.call === undefined || !cardOf(about)) return;
  const button = make("button", "cw-tool-button cw-to-card", "Show card");
  button.type = "button";
  button.title = "Go to the card of this call in the transcript of its run";
  button.addEventListener("click", (event) => {
    const card = cardOf(about); // it may have been drawn anew
    if (event.isTrusted && card) goTo(card);
  });
  sheet.querySelector(".cw-call-head").append(button);
}
