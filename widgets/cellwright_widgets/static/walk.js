// How a timeline is walked: what is told of a bar, which one is chosen, and where the keys lead.
class Timeline extends Gantt {
  words({ name, start, end, outcome }) {
    return [name, end === null ? "going on" : short(end - start), outcome, `at ${short(start)}`].filter(Boolean).join(" · ");
  }

  tell(span) {
    const words = span ? this.words(span) : "";
    if (this.told.textContent !== words) this.told.textContent = words;
  }

  choose(span, opens) {
    this.current = span;
    this.tell(span);
    if (span) this.ruler.reveal(span.start, span.end ?? this.ruler.seconds);
    this.ruler.draw();
    if (span && opens) this.open(span.key);
  }

  // the bar of a line that was chosen elsewhere
  show(key) {
    if (this.current?.key === key) return;
    const all = [...this.lanes.values()].flatMap(({ spans }) => spans);
    this.choose(all.findLast((span) => span?.key === key), false);
  }

  // the chosen bar stays where it is, and comes into view
  zoom(factor) {
    if (this.current) this.ruler.reveal(this.current.start, this.current.end ?? this.ruler.seconds);
    const { from, to, perPixel } = this.ruler.view;
    const [start, end] = [this.current?.start ?? from, this.current?.end ?? to];
    const middle = (Math.max(start, from) + Math.min(end, to)) / 2;
    this.ruler.zoomBy(factor, this.ruler.ticks.offsetLeft + (middle - from) / perPixel);
  }

  onKey(key) {
    if (key === "Enter" && this.current) this.open(this.current.key);
    else if (key === "+" || key === "=") this.zoom(2);
    else if (key === "-") this.zoom(0.5);
    else if (key === "0") this.zoom(0);
    else if (key === "ArrowRight" || key === "ArrowLeft") this.step(key === "ArrowRight" ? 1 : -1);
    else if (key === "ArrowDown" || key === "ArrowUp") this.change(key === "ArrowDown" ? 1 : -1);
    else return false;
    return true;
  }

  // to the next bar of the lane, or the one before
  step(by) {
    const spans = this.lanes.get(this.current?.lane)?.spans ?? [...this.lanes.values()][0]?.spans ?? [];
    this.reach(spans[this.current ? spans.indexOf(this.current) + by : 0]);
  }

  // to the bar of another lane that is nearest in time
  change(by) {
    const names = [...this.lanes.keys()];
    const spans = this.lanes.get(names[this.current ? names.indexOf(this.current.lane) + by : 0])?.spans ?? [];
    const from = this.current?.start ?? 0;
    const far = (span) => Math.abs(span.start - from);
    this.reach(spans.reduce((best, span) => (best && far(best) <= far(span) ? best : span), undefined));
  }

  reach(span) {
    if (span) this.choose(span, false);
  }
}
