// What a person does to a control of a drawing goes to the kernel; its answer takes the place of the part around the
// control. Only trusted events count: no script that slipped into the page presses anything. An answer can be lost, so
// the same press is said again until there is one; the kernel acts on it once.
const AGAIN = 2000;
const TIMES = 15;

class Presses {
  constructor(model, root) {
    this.model = model;
    this.root = root;
    this.waiting = new Map();
    root.addEventListener("click", (event) => {
      const control = event.target.closest("button[data-press], button[data-copy], input[type=checkbox][data-press]");
      if (!control || !event.isTrusted) return;
      event.preventDefault(); // a button in a summary does not fold; a box is ticked once the kernel says so
      if (control.dataset.copy !== undefined) this.copy(control, control.dataset.copy);
      else this.press(control, control.type === "checkbox" ? control.checked : undefined);
    });
    root.addEventListener("copy", copyExact);
    root.addEventListener("keydown", (event) => {
      if (!event.target.matches("input[type=search][data-press]")) return;
      event.stopPropagation();
      if (event.key === "Enter" && event.isTrusted) this.press(event.target, event.target.value);
    });
  }

  press(control, value) {
    const part = control.closest("[data-part]");
    if (!part || part.getAttribute("aria-busy") === "true") return;
    let facts;
    try {
      facts = JSON.parse(control.dataset.press);
    } catch {
      return;
    }
    const id = Math.random().toString(36).slice(2) + Math.random().toString(36).slice(2);
    part.setAttribute("aria-busy", "true");
    this.note(part, "");
    this.waiting.set(id, { part, key: control.dataset.key, control, times: 0 });
    this.say(id, { ...facts, id, ...(value === undefined ? {} : { value }) });
  }

  say(id, press) {
    const waits = this.waiting.get(id);
    if (!waits) return;
    if (waits.times++ >= TIMES || !waits.part.isConnected) {
      this.settle(id);
      this.note(waits.part, "The kernel did not answer.");
      return;
    }
    try {
      this.model.send({ press });
    } catch {
      waits.times = TIMES; // the kernel is gone
    }
    setTimeout(() => this.say(id, press), waits.times < TIMES ? AGAIN : 0);
  }

  take(message) {
    const waits = this.settle(message.answer);
    if (!waits) return;
    if (typeof message.failed === "string") this.note(waits.part, message.failed);
    else if (typeof message.copy === "string") this.copy(waits.control, message.copy, message.said);
    else if (message.node) this.replace(waits, build(message.node));
  }

  settle(id) {
    const waits = this.waiting.get(id);
    this.waiting.delete(id);
    waits?.part.removeAttribute("aria-busy");
    return waits;
  }

  replace({ part, key }, fresh) {
    const focused = part.contains(part.getRootNode().activeElement);
    fresh.earlier = [...(part.earlier ?? []), part];
    part.replaceWith(fresh);
    takeOff(part);
    if (!focused) return;
    const controls = [...fresh.querySelectorAll("[data-key]:not([disabled])")];
    (controls.find((one) => one.dataset.key === key) ?? controls[0])?.focus({ preventScroll: true });
  }

  async copy(control, text, said) {
    let copied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copied = copyByHand(text, control);
    }
    const words = control.textContent;
    control.textContent = copied ? said || "Copied" : "Not copied";
    setTimeout(() => { control.textContent = words; }, 1500);
  }

  note(part, words) {
    part.querySelector(":scope > .cw-press-note")?.remove();
    if (!words) return;
    const note = make("p", "cw-missing cw-press-note", words);
    note.setAttribute("role", "status");
    part.append(note);
  }
}

// A part that was answered stays when its card is drawn anew and would have the part as it was at first, or as an answer
// since then has made it, the last one too: the card may come after the answer that it agrees with.
function answeredParts(root) {
  const answered = [...root.querySelectorAll("[data-part]")].filter((part) => part.earlier);
  return answered.filter((part) => !part.parentElement.closest("[data-part]")?.earlier); // whose own parts come with it
}

// the part as it is while no answer is awaited
function idle(part) {
  const copy = part.cloneNode(true);
  copy.removeAttribute("aria-busy");
  return copy;
}

// takes those that found their place from the list
function keepParts(parts, root) {
  for (const part of [...parts]) {
    const known = [...part.earlier, idle(part)];
    const same = [...root.querySelectorAll("[data-part]")].find((one) => known.some((old) => one.isEqualNode(old)));
    if (!same) continue;
    part.earlier = [same];
    parts.splice(parts.indexOf(part), 1);
    takeOff(same);
    same.replaceWith(part);
    room -= roomOf(part);
  }
}
