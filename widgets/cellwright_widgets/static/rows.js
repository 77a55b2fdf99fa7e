// The lines of the turns and calls: a list in which one is chosen, by click or by the arrow keys. Only the lines that are
// in view are elements of the page, so that a list of thousands costs no more than a short one.
const HEIGHT = 28; // of a line, as in the style sheet
const BEYOND = 15; // lines that are drawn above and below the view

function isBefore(one, other) {
  for (let place = 0; place < one.length && place < other.length; place++) {
    if (one[place] !== other[place]) return one[place] < other[place];
  }
  return one.length < other.length;
}

function textOf(node) {
  return typeof node === "string" ? node : node[2].map(textOf).join("");
}

let lists = 0;

class Rows {
  constructor(open) {
    this.open = open;
    this.name = `cw-lines-${lists++}`;
    this.lines = []; // in their order
    this.shown = this.lines; // those that fit the filter
    this.byKey = new Map();
    this.element = make("div", "cw-line-list");
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "listbox");
    this.element.setAttribute("aria-label", "Turns and calls");
    this.inner = make("div", "cw-line-room");
    this.inner.setAttribute("role", "presentation");
    this.element.append(this.inner);
    this.filter = make("input", "cw-filter");
    this.filter.type = "search";
    this.filter.placeholder = "Filter";
    this.filter.setAttribute("aria-label", "Show only lines with this text");
    this.listen();
  }

  listen() {
    this.element.addEventListener("click", (event) => {
      const line = this.byKey.get(event.target.closest(".cw-row-line")?.dataset.key);
      if (line) this.open(line.key);
    });
    this.element.addEventListener("keydown", (event) => {
      const to = isPlain(event) ? this.target(event.key) : undefined;
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation(); // JupyterLab moves from cell to cell with the same keys
      if (to) this.open(to.key);
    });
    this.element.addEventListener("scroll", () => this.drawSoon());
    this.filter.addEventListener("input", () => { this.sift(); this.element.scrollTop = 0; });
    this.filter.addEventListener("keydown", (event) => event.stopPropagation());
    this.watch = new ResizeObserver(() => this.drawSoon());
    this.watch.observe(this.element);
  }

  take(rows) {
    for (const [path, key, node] of rows) this.put(path, key, node);
    if (rows.length) this.sift();
  }

  put(path, key, node) {
    const known = this.byKey.get(key);
    const line = known ?? { path, key, id: `${this.name}-${this.byKey.size}` };
    Object.assign(line, { node, text: textOf(node).toLowerCase(), element: undefined });
    if (known) return;
    this.byKey.set(key, line);
    let low = 0;
    let high = this.lines.length;
    if (high && isBefore(this.lines[high - 1].path, path)) low = high; // most come at the end
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(this.lines[middle].path, path)) low = middle + 1;
      else high = middle;
    }
    this.lines.splice(low, 0, line);
  }

  sift() {
    const wanted = this.filter.value.trim().toLowerCase();
    this.shown = wanted ? this.lines.filter((line) => line.text.includes(wanted)) : this.lines;
    this.inner.style.height = `${this.shown.length * HEIGHT}px`;
    this.drawSoon();
  }

  drawSoon() {
    this.due ??= requestAnimationFrame(() => { this.due = undefined; this.draw(); });
  }

  draw() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / HEIGHT) - BEYOND);
    const last = Math.ceil((this.element.scrollTop + this.element.clientHeight) / HEIGHT) + BEYOND;
    const visible = this.shown.slice(first, last);
    visible.forEach((line, place) => this.place(line, first + place));
    this.inner.replaceChildren(...visible.map((line) => line.element));
  }

  place(line, place) {
    if (!line.element) {
      line.element = make("div", `cw-row-line cw-depth-${Math.min(line.path.length, 4)}`);
      line.element.append(build(line.node));
      line.element.id = line.id;
      line.element.dataset.key = line.key;
      line.element.setAttribute("role", "option");
    }
    line.element.style.top = `${place * HEIGHT}px`;
    line.element.setAttribute("aria-selected", line === this.current);
    line.element.setAttribute("aria-posinset", place + 1);
    line.element.setAttribute("aria-setsize", this.shown.length);
  }

  // where a key leads; null where it would leave the list, undefined for a key that means nothing here
  target(key) {
    const at = this.shown.indexOf(this.current);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    if (key === "Home") return this.shown[0] ?? null;
    if (key === "End") return this.shown.at(-1) ?? null;
    if (key === "Enter" || key === " ") return this.current ?? null;
    if (!(key in steps)) return undefined;
    return this.shown[Math.max(0, Math.min(this.shown.length - 1, at < 0 ? 0 : at + steps[key]))] ?? null;
  }

  // marks the line and brings it into view
  show(key) {
    this.current = this.byKey.get(key);
    const place = this.shown.indexOf(this.current);
    if (place >= 0) {
      this.element.setAttribute("aria-activedescendant", this.current.id);
      const { scrollTop, clientHeight } = this.element;
      const top = place * HEIGHT;
      if (top < scrollTop) this.element.scrollTop = top;
      else if (top + HEIGHT > scrollTop + clientHeight) this.element.scrollTop = top + HEIGHT - clientHeight;
    }
    this.draw();
  }

  end() {
    this.watch.disconnect();
  }
}
