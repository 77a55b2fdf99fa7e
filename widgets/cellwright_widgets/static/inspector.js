// A run taken apart. The page asks for what is newer than it has, and takes it in parts; a part that was lost is asked for
// again. What lies behind a line is asked for when the line is chosen.
const SECOND = 1000;
const PATIENCE = 4 * SECOND; // a busy server drops messages for 3 s
const chosen = new WeakMap(); // by model: the line that was open when its place in the document was drawn anew

function make(tag, name, text) {
  const element = document.createElement(tag);
  element.className = name;
  if (text) element.textContent = text;
  return element;
}

function frame(el, rows, gantt) {
  const root = make("div", "cw cw-inspector");
  const head = make("div", "cw-bar-head");
  const bar = make("div", "cw-bar");
  bar.append(head, rows.filter);
  const sheet = make("div", "cw-sheet-pane");
  sheet.tabIndex = 0;
  sheet.setAttribute("role", "region");
  sheet.setAttribute("aria-label", "What is known of the chosen line");
  const both = make("div", "cw-both");
  both.append(rows.element, sheet);
  root.append(bar, gantt.element, both);
  el.append(root);
  keepScrolling(root);
  return { root, head, sheet };
}

// keys with Ctrl and the like are JupyterLab's own, such as those that run the cell
function isPlain(event) {
  return !event.ctrlKey && !event.metaKey && !event.altKey && !(event.shiftKey && event.key === "Enter");
}

function placeBars(root) {
  for (const bar of root.querySelectorAll("[data-from]")) {
    const [from, to] = [bar.dataset.from, bar.dataset.to].map((text) => Math.max(0, Math.min(1000, Number(text) || 0)));
    bar.style.left = `${from / 10}%`;
    bar.style.width = `${(to - from) / 10}%`;
  }
}

function render({ model, el }) {
  const open = (key) => {
    chosen.set(model, key);
    rows.show(key);
    gantt.show(key);
    look(key);
  };
  const rows = new Rows(open);
  const gantt = new Timeline(open);
  const parts = frame(el, rows, gantt);
  let known = [];
  let answer; // what will be known once all parts of it are here
  let taken = new Set();
  let timer;

  const askAfter = (pause) => {
    clearTimeout(timer);
    timer = setTimeout(ask, pause);
  };
  const ask = () => {
    if (!parts.root.isConnected || document.hidden) return askAfter(SECOND);
    model.send({ since: known });
    askAfter(PATIENCE);
  };
  const look = (key) => {
    parts.sheet.setAttribute("aria-busy", "true");
    model.send({ open: key });
  };
  const draw = (message) => {
    if (message.sheet !== chosen.get(model)) return;
    parts.sheet.removeAttribute("aria-busy");
    if (parts.sheet.firstElementChild) takeOff(parts.sheet.firstElementChild);
    parts.sheet.replaceChildren(build(message.node));
    placeBars(parts.sheet);
    offerCard(parts.sheet.firstElementChild);
    if (parts.sheet.dataset.key !== message.sheet) parts.sheet.scrollTop = 0;
    parts.sheet.dataset.key = message.sheet;
  };
  const take = (message) => {
    if (message.sheet !== undefined) return draw(message);
    if (!Array.isArray(message.rows) || String(message.since) !== String(known)) return; // for another view, or an old answer
    parts.head.replaceChildren(build(message.head));
    rows.take(message.rows);
    gantt.take(message);
    if (answer !== String(message.known)) [answer, taken] = [String(message.known), new Set()];
    taken.add(message.part);
    if (taken.size < message.parts) return askAfter(PATIENCE);
    const key = chosen.get(model) ?? (rows.lines.find((line) => line.path.length > 2) ?? rows.lines[0])?.key;
    known = message.known;
    taken = new Set();
    parts.root.dataset.known = known;
    if (key !== undefined && parts.sheet.dataset.key === undefined) open(key);
    else if (message.rows.some(([, changed]) => changed === key)) look(key);
    clearTimeout(timer);
    if (!message.over) askAfter(SECOND);
  };

  model.on("msg:custom", take);
  ask();
  return () => {
    takeOff(parts.root);
    clearTimeout(timer);
    gantt.ruler.end();
    rows.end();
    model.off("msg:custom", take);
  };
}

export default {
  initialize: ({ model }) => overPlaces(model, render),
  render,
};
