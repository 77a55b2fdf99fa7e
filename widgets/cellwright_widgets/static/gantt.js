// Bars over time, in lanes. Only what is in view is drawn, and of bars that would stand on the same pixel one, so that a
// run of thousands of calls costs no more than a short one. Widths are made of numbers alone; names are only ever text.
const SPANS = ["model", "person", "tool"];
const LEAST = 3; // pixels of a bar

class Gantt {
  constructor(open) {
    this.open = open;
    this.lanes = new Map();
    this.element = make("section", "cw-gantt");
    this.told = make("span", "cw-gantt-told");
    this.told.setAttribute("role", "status");
    this.scroll = make("div", "cw-gantt-scroll");
    this.scroll.tabIndex = 0;
    this.scroll.setAttribute("role", "group");
    this.scroll.setAttribute("aria-label", "Timeline: arrow keys go from bar to bar, Enter opens one, + and - zoom");
    const inner = make("div", "cw-gantt-inner");
    this.ruler = new Ruler(this.scroll, inner, (view) => this.draw(view));
    this.inner = inner;
    this.scroll.append(inner);
    const tools = make("div", "cw-gantt-tools");
    tools.append(this.told, ...this.buttons());
    this.element.append(tools, this.scroll);
    this.listen();
  }

  buttons() {
    const all = [["−", "Zoom out", 0.5], ["+", "Zoom in", 2], ["Fit", "Show the whole run", 0]];
    return all.map(([text, label, factor]) => {
      const button = make("button", "cw-tool-button", text);
      button.type = "button";
      button.title = label;
      button.setAttribute("aria-label", label);
      button.addEventListener("click", () => this.zoom(factor));
      return button;
    });
  }

  listen() {
    const spanAt = (event) => event.target.closest(".cw-span")?.span;
    this.scroll.addEventListener("click", (event) => { if (spanAt(event)) this.choose(spanAt(event), true); });
    this.scroll.addEventListener("pointerover", (event) => this.tell(spanAt(event) ?? this.current));
    this.scroll.addEventListener("keydown", (event) => {
      if (!isPlain(event) || !this.onKey(event.key)) return;
      event.preventDefault();
      event.stopPropagation(); // JupyterLab moves from cell to cell with the same keys
    });
  }

  take({ lanes, spans, marks, seconds }) {
    lanes.forEach((lane, place) => this.lane(lane, place));
    for (const [lane, place, kind, name, start, end, row, outcome, key] of spans) {
      const known = this.lanes.get(lane).spans;
      known[place] = Object.assign(known[place] ?? {}, { lane, kind, name, start, end, row, outcome, key });
    }
    this.ruler.take(seconds, marks);
  }

  lane({ name, rows }, place) {
    let found = this.lanes.get(name);
    if (!found) {
      const row = make("div", "cw-lane");
      found = { track: make("div", "cw-lane-track"), spans: [] };
      row.append(make("div", "cw-lane-name", name), found.track);
      this.lanes.set(name, found);
      this.inner.insertBefore(row, this.inner.children[place + 1] ?? null);
    }
    found.track.style.height = `${Number(rows) * 18 + 6}px`;
  }

  draw(view) {
    for (const { track, spans } of this.lanes.values()) {
      const bars = new Map(); // by row and pixel; of several there the chosen one is drawn, or one that failed, or the longest
      for (const span of spans) {
        const end = span?.end ?? this.ruler.seconds;
        if (!span || end < view.from || span.start > view.to) continue;
        const pixel = `${span.row} ${Math.floor(span.start / view.perPixel / LEAST)}`;
        const other = bars.get(pixel);
        if (!other || this.weight(span, end) > this.weight(other, other.end ?? this.ruler.seconds)) bars.set(pixel, span);
      }
      track.replaceChildren(...[...bars.values()].map((span) => this.bar(span, view)));
    }
  }

  weight(span, end) {
    return span === this.current ? Infinity : (end - span.start) + (this.isBad(span) ? 1e9 : 0);
  }

  isBad({ kind, outcome }) {
    return kind === "tool" && Boolean(outcome) && outcome !== "ok";
  }

  bar(span, { from, perPixel }) {
    const end = Number(span.end ?? this.ruler.seconds);
    const bar = make("div", `cw-span cw-span-${SPANS.includes(span.kind) ? span.kind : "tool"}`);
    bar.classList.toggle("cw-span-bad", this.isBad(span));
    bar.classList.toggle("cw-span-going", span.end === null);
    bar.classList.toggle("cw-current", span === this.current);
    const width = Math.max(LEAST, (end - span.start) / perPixel);
    bar.style.left = `${span.start / perPixel}px`;
    bar.style.width = `${width}px`;
    bar.style.top = `${span.row * 18 + 4}px`;
    bar.style.textIndent = `${5 + Math.max(0, (from - span.start) / perPixel)}px`; // the name stays in view
    if (width > 14) bar.textContent = span.name;
    bar.title = this.words(span);
    bar.span = span;
    return bar;
  }
}
