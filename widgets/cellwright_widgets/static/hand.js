// A press takes a moment, from the pointer's going down to its coming up. If what is under it is drawn anew meanwhile, or
// moves away, the page makes no click of it. So what has come for the page waits until the pointer is up; but no longer
// than any press takes, since a text is selected slowly.
const LONGEST_PRESS = 1000; // milliseconds

class Hand {
  constructor(root) {
    this.free = Promise.resolve();
    root.addEventListener("pointerdown", () => { this.free = new Promise((free) => this.waitForEnd(free)); });
  }

  waitForEnd(free) {
    const ends = ["pointerup", "pointercancel"];
    const end = () => {
      clearTimeout(longest);
      for (const kind of ends) document.removeEventListener(kind, end, true);
      setTimeout(free); // the click comes right after
    };
    const longest = setTimeout(end, LONGEST_PRESS);
    for (const kind of ends) document.addEventListener(kind, end, true);
  }
}
