// The box in which a person writes to an agent. No word is ever lost: what is typed is kept by the kernel a moment
// later, so that a page that is loaded again still has it, and the box is emptied only when the kernel has said that it
// took the very text. Keys are typing here, never shortcuts of the notebook; what no person did does nothing.
const DRAFT = 300; // milliseconds after the last key until the draft goes to the kernel
const PATIENCE = 5000; // milliseconds for which an answer is waited before it is said that none came
const DEAD = "The kernel has ended or was started anew, so nothing here is active any more. Run the cell again; what you wrote stays here until you do.";

function part(tag, name, attributes = {}, text = "") {
  const element = document.createElement(tag);
  element.className = name;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

function render({ model, el }) {
  const root = part("div", "cw-prompt-box", { role: "group", "aria-label": "Write to the agent" });
  const text = part("textarea", "cw-prompt-text", { rows: 2, "aria-label": "Your message", "aria-describedby": `hint-${model.get("name")}` });
  const send = part("button", "cw-prompt-send", { type: "button" });
  const hint = part("p", "cw-prompt-hint", { id: `hint-${model.get("name")}`, role: "status" });
  const row = part("div", "cw-prompt-row");
  row.append(text, send);
  root.append(row, hint);
  el.append(root);
  let waiting = null; // what was sent and not answered yet
  let sent = { say: "", id: "" }; // what was sent last: sent again it is the same message, which is taken once
  let known = model.get("draft"); // what was written when kernel and page agreed last
  let timer, draft, observer, panel, dead = false;

  const tell = (content) => { try { model.send(content); } catch { end(); } };
  const keep = () => {
    clearTimeout(draft);
    if (dead || model.get("draft") === text.value) return;
    model.set("draft", text.value);
    model.save_changes();
  };
  const size = () => {
    text.style.height = "auto";
    text.style.height = `${Math.min(text.scrollHeight + 2, 260)}px`;
  };
  const dress = () => {
    const going = model.get("going");
    send.textContent = waiting ? "Sending…" : going ? "Steer" : "Send";
    send.disabled = dead || Boolean(waiting);
    text.readOnly = Boolean(waiting);
    text.placeholder = going ? "Tell the agent what to do otherwise" : "What shall the agent do?";
    hint.textContent = dead ? DEAD : going
      ? "A run is going on: Enter tells the model, which reads it before its next turn. Shift+Enter begins a new line."
      : "Enter sends, Shift+Enter begins a new line.";
  };
  const release = (said) => {
    clearTimeout(timer);
    waiting = null;
    dress();
    if (said) hint.textContent = said;
  };
  const say = () => {
    if (dead || waiting || !text.value.trim()) return;
    if (sent.say !== text.value) sent = { say: text.value, id: crypto.randomUUID?.() ?? String(Math.random()) };
    waiting = sent;
    dress();
    tell(waiting);
    timer = setTimeout(() => release("The kernel has not answered yet: it may be busy. Your text is still here."), PATIENCE);
  };
  const take = (message) => {
    if (message.taken !== undefined) {
      if (text.value === message.text) text.value = "";
      size();
      if (message.taken === sent.id) sent = { say: "", id: "" };
      if (message.taken === waiting?.id) release();
      keep();
    } else if (message.kept !== undefined && message.kept === waiting?.id) release();
  };
  const redraft = () => {
    const [kept, before] = [model.get("draft"), known];
    known = kept;
    if (text.value.startsWith(kept) && kept) return;
    if (!kept && document.activeElement === text && text.value && !waiting) return;
    const typed = waiting || text.value === before ? "" : text.value; // since the kernel was told last
    text.value = !typed ? kept : before && kept.endsWith(before) ? kept.slice(0, -before.length) + typed : `${kept}\n\n${typed}`;
    size();
  };
  // what a script that slipped into the page does is no press and no change; a card looks after its own buttons
  const refuse = (event) => {
    if (event.isTrusted || event.target.closest(".cw-ask, .cw-prompt-box")) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const end = () => {
    if (dead) return;
    dead = true;
    for (const control of panel?.querySelectorAll("button, input, select") ?? []) control.disabled = true;
    panel?.classList.add("cw-chat-gone");
    release();
    hint.setAttribute("role", "alert");
  };
  const begin = () => {
    panel = el.closest(".cw-chat");
    if (!panel) { timer = setTimeout(begin, 50); return; }
    keepKeys(panel); // an arrow key on a choice would go to the next cell
    for (const kind of ["click", "change", "input"]) panel.addEventListener(kind, refuse, true);
    const look = () => {
      nameFields(panel);
      if (el.closest(".jupyter-widgets-disconnected") || panel.querySelector(".jupyter-widgets-disconnected")) end();
    };
    observer = new MutationObserver(look);
    observer.observe(panel, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
    look();
  };

  text.addEventListener("input", () => { size(); clearTimeout(draft); draft = setTimeout(keep, DRAFT); });
  text.addEventListener("blur", keep);
  text.addEventListener("keydown", (event) => {
    event.stopPropagation(); // the notebook has shortcuts for these
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || !event.isTrusted) return;
    event.preventDefault();
    if (!event.repeat) say();
  });
  send.addEventListener("click", (event) => { if (event.isTrusted) { say(); text.focus(); } });
  model.on("msg:custom", take);
  model.on("change:going", dress);
  model.on("change:draft", redraft);
  text.value = model.get("draft");
  dress();
  begin();
  requestAnimationFrame(size);
  tell({ shown: true });
  return () => {
    clearTimeout(timer);
    keep();
    observer?.disconnect();
    model.off("msg:custom", take);
    model.off("change:going", dress);
    model.off("change:draft", redraft);
  };
}

export default { initialize, render };
