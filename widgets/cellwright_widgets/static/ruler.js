// The axis over the lanes of a timeline: what stretch of time is seen, and the times written above it.
const NICE = [1, 2, 5, 10];
const GAP = 90; // pixels between two times, at least
const FINEST = 0.0005; // seconds that may fill the view
const WIDEST = 4e6; // pixels; wider elements are not placed exactly

function short(seconds) {
  if (seconds >= 60) return duration(seconds);
  if (seconds >= 0.9995) return `${seconds.toFixed(2)} s`;
  return seconds === 0 ? "0 s" : `${Number((seconds * 1000).toPrecision(3))} ms`;
}

function atTime(seconds, step) {
  if (seconds >= 60) return duration(seconds);
  const digits = Math.max(0, Math.min(4, -Math.floor(Math.log10(step))));
  return `${seconds.toFixed(digits)} s`;
}

class Ruler {
  constructor(scroll, inner, drawn) {
    this.scroll = scroll;
    this.drawn = drawn;
    this.inner = inner;
    this.zoom = 1;
    this.seconds = FINEST;
    this.marks = new Map();
    this.element = make("div", "cw-axis");
    this.element.setAttribute("aria-hidden", "true");
    this.ticks = make("div", "cw-ticks");
    this.element.append(make("div", "cw-lane-name"), this.ticks);
    inner.append(this.element);
    scroll.addEventListener("scroll", () => this.drawSoon());
    scroll.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    this.watch = new ResizeObserver(() => this.drawSoon());
    this.watch.observe(scroll);
  }

  take(seconds, marks) {
    this.seconds = Math.max(Number(seconds), FINEST);
    for (const [at, text] of marks) this.marks.set(at, text);
    this.drawSoon();
  }

  onWheel(event) {
    if (!event.ctrlKey && !event.metaKey) return; // a plain turn of the wheel scrolls
    event.preventDefault();
    this.zoomBy(2 ** (-event.deltaY / 200), event.clientX - this.scroll.getBoundingClientRect().left);
  }

  // keeps the time below that pixel of the view where it is
  zoomBy(factor, at = this.scroll.clientWidth / 2) {
    const names = this.ticks.offsetLeft;
    const room = Math.max(1, this.scroll.clientWidth - names);
    const most = Math.max(1, Math.min(this.seconds / FINEST, WIDEST / room));
    const zoom = Math.min(most, Math.max(1, this.zoom * factor));
    const share = (this.scroll.scrollLeft + Math.max(0, at - names)) / (room * this.zoom);
    this.zoom = zoom;
    this.inner.style.setProperty("--cw-zoom", zoom);
    this.scroll.scrollLeft = share * room * zoom - Math.max(0, at - names);
    this.drawSoon();
  }

  drawSoon() {
    this.due ??= requestAnimationFrame(() => { this.due = undefined; this.draw(); });
  }

  // the times in view: from and to, and the seconds of a pixel
  get view() {
    const perPixel = this.seconds / Math.max(1, this.ticks.clientWidth);
    const from = this.scroll.scrollLeft * perPixel;
    return { from, to: from + (this.scroll.clientWidth - this.ticks.offsetLeft) * perPixel, perPixel };
  }

  reveal(start, end) {
    const { from, to, perPixel } = this.view;
    if (end >= from && start <= to) return;
    this.scroll.scrollLeft = (start - (to - from) / 4) / perPixel;
  }

  draw() {
    if (!this.ticks.clientWidth) return;
    const { from, to, perPixel } = this.view;
    const least = GAP * perPixel;
    const power = 10 ** Math.floor(Math.log10(least));
    const step = NICE.find((factor) => factor * power >= least) * power;
    const ticks = [];
    for (let n = Math.floor(from / step); n * step <= Math.min(to, this.seconds); n++) {
      ticks.push(this.line("cw-time-tick", n * step, perPixel, atTime(n * step, step)));
    }
    let free = -Infinity; // steps that stand closer than a few pixels have one line
    for (const at of this.marks.keys()) {
      if (at < Math.max(from, free) || at > to) continue;
      free = at + 4 * perPixel;
      ticks.push(this.line("cw-mark", at, perPixel, ""));
    }
    this.ticks.replaceChildren(...ticks);
    this.drawn(this.view);
  }

  line(cls, at, perPixel, text) {
    const line = make("div", cls, text);
    line.style.left = `${Number(at) / perPixel}px`;
    return line;
  }

  end() {
    this.watch.disconnect();
  }
}
