// One value that is shown: its drawing is asked for until it is there, its controls are pressed as in a transcript.
const SECOND = 1000;

function make(tag, name, text) {
  const element = document.createElement(tag);
  element.className = name;
  if (text) element.textContent = text;
  return element;
}

function render({ model, el }) {
  const root = make("div", "cw cw-shown");
  const presses = new Presses(model, root);
  let timer;

  const ask = () => {
    model.send({ show: true });
    timer = setTimeout(ask, 4 * SECOND); // a busy server drops messages for 3 s
  };
  const take = (message) => {
    if (message.answer) presses.take(message);
    if (!message.shown || root.firstChild) return;
    clearTimeout(timer);
    root.append(build(message.shown));
  };

  el.append(root);
  model.on("msg:custom", take);
  ask();
  return () => {
    takeOff(root);
    clearTimeout(timer);
    model.off("msg:custom", take);
  };
}

export default {
  initialize: ({ model }) => overPlaces(model, render),
  render,
};
