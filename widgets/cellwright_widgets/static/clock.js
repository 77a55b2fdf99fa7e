// Elapsed times, written once a second into every <time data-since> of a transcript. Times are the kernel's;
// its clock may differ from the page's, so each batch says what time it is there.
function duration(seconds) {
  const shown = Math.max(0, seconds);
  if (shown < 9.95) return `${shown.toFixed(1)} s`;
  const whole = Math.round(shown);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
}

class Clock {
  constructor(root) {
    this.root = root;
    this.ahead = 0;
    this.timer = setInterval(() => this.tick(), 1000);
  }

  agree(now) {
    this.ahead = Date.now() / 1000 - now;
    this.tick();
  }

  tick() {
    const now = Date.now() / 1000 - this.ahead;
    for (const time of this.root.querySelectorAll("time[data-since]")) {
      time.textContent = duration(now - Number(time.dataset.since));
    }
  }

  stop() {
    clearInterval(this.timer);
  }
}
