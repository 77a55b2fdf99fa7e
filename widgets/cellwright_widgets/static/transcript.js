// The live view of a run. It holds the number of the last batch it has; whatever is newer it asks for, when it is
// first shown, when a batch does not follow on the one before, and when `n` says there is more.
const RETRY = 1000; // milliseconds after which it is asked for again; twice as long each time, as it may be on its way
const LONGEST_RETRY = 16 * RETRY;

function make(tag, name, text) {
  const element = document.createElement(tag);
  element.className = name;
  if (text) element.textContent = text;
  return element;
}

function stopButton(model) {
  const button = make("button", "cw-stop", "Stop");
  button.type = "button";
  button.title = "Stop this run";
  button.addEventListener("click", (event) => {
    if (!event.isTrusted) return; // only a person stops a run, no script that slipped into the page
    button.textContent = "Stopping…";
    button.disabled = true;
    model.send({ stop: true });
  });
  return button;
}

function frame(model, el) {
  const root = make("div", "cw cw-live");
  const bar = make("div", "cw-bar");
  const head = make("div", "cw-bar-head");
  const status = make("span", "cw-aloud");
  status.setAttribute("role", "status");
  status.setAttribute("aria-live", "polite");
  const pace = make("div", "cw-pace-place");
  const stop = stopButton(model);
  const area = make("div", "cw-area");
  area.tabIndex = 0;
  area.setAttribute("role", "log");
  area.setAttribute("aria-live", "off"); // a stream read aloud letter by letter helps nobody; the status speaks
  area.setAttribute("aria-label", "Transcript of the run");
  const list = make("div", "cw-list-of-items");
  area.append(list);
  bar.append(head, pace, stop, status);
  root.append(bar, area);
  el.append(root);
  keepScrolling(root);
  return { root, head, pace, status, stop, area, list };
}

function render({ model, el }) {
  const parts = frame(model, el);
  const sheet = new Sheet(parts.list);
  const clock = new Clock(parts.root);
  const questions = new Questions(parts.root);
  const presses = new Presses(model, parts.root);
  let last = 0;
  let asked = -1;
  let wait = RETRY;
  let again;
  let atBottom = true;

  // at most one request for the same gap at a time: a request for each lost batch would flood the server
  const ask = () => {
    if (asked === last) return;
    asked = last;
    clearTimeout(again); // of an earlier gap: this one is not asked for twice because of it
    again = setTimeout(() => { asked = -1; beat(); }, wait);
    wait = Math.min(2 * wait, LONGEST_RETRY);
    model.send({ since: last });
  };
  // what is being unpacked is here, and not asked for; when it is, there may be more that is being unpacked
  const beat = () => {
    const n = model.get("n");
    parcels.before.then(() => { if (parts.root.isConnected && n > last) ask(); });
  };

  const showHead = (node, facts) => {
    parts.head.replaceChildren(build(node));
    const state = parts.head.querySelector(".cw-state")?.textContent ?? "";
    if (parts.status.textContent !== state) parts.status.textContent = state;
    parts.root.dataset.state = facts.state;
    parts.stop.hidden = facts.ended;
    if (facts.ended) clock.stop();
  };

  const showPace = (node) => {
    const old = parts.pace.firstElementChild;
    const key = parts.root.getRootNode().activeElement?.dataset?.key;
    if (old) presses.replace({ part: old, key }, build(node));
    else parts.pace.append(build(node));
  };

  const take = (message) => {
    if (!Array.isArray(message.items) || message.to <= last) return;
    if (message.from > last) { ask(); return; }
    const isFirst = last === 0;
    for (const [place, node, extra] of message.items) {
      if (place === -2) showPace(node);
      else if (place < 0) showHead(node, extra);
      else if (node === null) sheet.grow(place, extra);
      else sheet.put(place, node);
    }
    last = message.to;
    wait = RETRY;
    parts.root.dataset.last = last;
    clock.agree(message.now);
    if (isFirst && parts.stop.hidden) return; // a run that is over is read from its start
    if (atBottom) parts.area.scrollTop = parts.area.scrollHeight;
  };

  const parcels = new Parcels(take, new Hand(parts.root));
  const receive = (message, buffers) => {
    if (message.answer) presses.take(message);
    else parcels.open(message, buffers);
  };

  parts.area.addEventListener("scroll", () => {
    const { scrollHeight, scrollTop, clientHeight } = parts.area;
    atBottom = scrollHeight - scrollTop - clientHeight < 24;
  });
  model.on("msg:custom", receive);
  model.on("change:n", beat);
  ask();
  return () => {
    takeOff(parts.root);
    clearTimeout(again);
    questions.stop();
    clock.stop();
    model.off("msg:custom", receive);
    model.off("change:n", beat);
  };
}

export default { initialize, render };
