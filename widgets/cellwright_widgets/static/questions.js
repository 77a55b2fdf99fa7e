// Keys, focus and presses of the questions under a transcript. The cards are plain widgets and work without this. With
// it a new question gets the focus unless the person is typing or busy elsewhere, keys on a card are no shortcuts of the
// notebook, Escape or *Back* folds up what was opened and leads to the button that had opened it; on a card with nothing
// open Escape leads to where the person was. Only a single press by a person counts. The focus goes to the card as a whole: Enter does nothing there, so nobody who was just about to press it allows something by accident.
const TYPING = 800; // milliseconds after a key for which a person counts as busy
const EDITABLE = "input, textarea, select, [contenteditable=''], [contenteditable='true'], .cm-editor, .cm-editor *";
const GONE = "The kernel has ended or was started anew: this question is no longer active, and nothing here can be pressed.";

class Questions {
  constructor(root) {
    this.root = root;
    this.known = new Map(); // each card, and what had the focus when it came
    this.lastKey = 0;
    this.own = false; // whether a press is ours
    this.watch = new MutationObserver(() => this.look());
    this.onKey = (event) => { if (event.key !== "Enter" && !this.box?.contains(event.target)) this.lastKey = Date.now(); };
    document.addEventListener("keydown", this.onKey, true);
    this.begin();
  }

  begin() {
    this.box = this.root.closest(".cw-run");
    if (!this.box) { // drawn, but not yet on the page
      this.timer = setTimeout(() => this.begin(), 50);
      return;
    }
    this.watch.observe(this.box, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
    keepKeys(this.box, ".cw-ask, .cw-ask *"); // "d d" on a button would delete the cell
    this.box.addEventListener("click", (event) => this.press(event), true);
    this.box.addEventListener("keydown", (event) => this.key(event), true);
    this.look();
  }

  look() {
    const cards = [...this.box.querySelectorAll(".cw-ask")];
    for (const card of cards) this.dress(card);
    const fresh = cards.filter((card) => !this.known.has(card));
    for (const card of fresh) this.known.set(card, document.activeElement);
    const gone = [...this.known.keys()].filter((card) => !card.isConnected);
    const isLost = !document.activeElement || document.activeElement === document.body;
    if (fresh.length && this.mayTake()) this.take(fresh[0]);
    else if (gone.length && isLost) this.take(cards[0] ?? this.known.get(gone[0]));
    for (const card of gone) this.known.delete(card);
  }

  // what a plain widget can't say of itself
  dress(card) {
    if (!card.hasAttribute("role")) {
      card.tabIndex = -1;
      card.setAttribute("role", "group");
    }
    const title = [...card.querySelectorAll(".cw-ask-title, .cw-outlook")].slice(0, 2).map((one) => one.textContent);
    const label = title.join(" ") || "A question";
    if (card.getAttribute("aria-label") !== label) card.setAttribute("aria-label", label);
    for (const opener of card.querySelectorAll(".cw-opens")) {
      const isOpen = String(opener.classList.contains("cw-opened"));
      if (opener.getAttribute("aria-expanded") !== isOpen) opener.setAttribute("aria-expanded", isOpen);
    }
    for (const back of card.querySelectorAll(".cw-back:not([aria-keyshortcuts])")) back.setAttribute("aria-keyshortcuts", "Escape");
    nameFields(card);
    if (card.closest(".jupyter-widgets-disconnected") || card.querySelector(".jupyter-widgets-disconnected")) this.end(card);
  }

  // the kernel is gone: nobody would hear a press
  end(card) {
    for (const control of card.querySelectorAll("button, input, textarea, select")) control.disabled = true;
    for (const stop of this.root.querySelectorAll(".cw-stop")) stop.disabled = true;
    if (card.querySelector(".cw-gone")) return;
    const said = make("p", "cw cw-gone", GONE);
    said.setAttribute("role", "alert");
    card.append(said);
  }

  mayTake() {
    const active = document.activeElement;
    if (!document.hasFocus() || Date.now() - this.lastKey < TYPING) return false;
    if (!active || active === document.body) return true;
    if (active.matches(EDITABLE)) return false;
    return this.box.contains(active) || Boolean(active.closest(".jp-Notebook")?.contains(this.box));
  }

  take(element) {
    if (!element?.isConnected) return;
    element.focus({ preventScroll: true });
    if (this.box.contains(element)) element.scrollIntoView({ block: "nearest" });
  }

  // a script that slipped into the page presses nothing, and the second press of a double click is none
  press(event) {
    if (this.own || !event.target.closest(".cw-ask button")) return;
    if (event.isTrusted && event.detail < 2) {
      if (event.target.closest(".cw-back")) event.target.closest(".cw-ask").querySelector(".cw-opened")?.focus();
      return;
    }
    event.stopImmediatePropagation();
    event.preventDefault();
  }

  key(event) {
    const card = event.target.closest(".cw-ask");
    if (!card) return;
    if (event.key === "Enter" && event.target.localName === "button" && (event.repeat || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) {
      event.preventDefault();
    }
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation();
    const opener = card.querySelector(".cw-opened");
    if (!opener) {
      this.take(this.known.get(card));
      return;
    }
    this.own = true;
    opener.click();
    this.own = false;
    opener.focus();
  }

  stop() {
    clearTimeout(this.timer);
    document.removeEventListener("keydown", this.onKey, true);
    this.watch.disconnect();
  }
}
