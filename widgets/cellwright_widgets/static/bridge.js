// Answers the kernel for the document of this page. Each page has a name, made up here, by which the kernel speaks to
// it alone: two pages may show one notebook, and an edit must not be made twice. What the kernel can ask for is a fixed
// list, and nothing it sends is ever evaluated.
const OPS = new Set(["who", "read", "change"]);
const PIECE = 400000; // characters of one message; servers cut a connection that sends 10 MB at once
const KEPT = 200; // answers to changes that can be given again

function madeUpName() {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");
}

function initialize({ model }) {
  const context = model.widget_manager?.context;
  if (!context?.model?.sharedModel?.cells) return undefined; // a console, Voila, VS Code: no document to reach
  const open = new OpenNotebook(context);
  const me = madeUpName();
  const given = new Map();

  const tell = (content) => {
    try {
      model.send({ page: me, ...content });
    } catch {
      // the kernel is gone, and with it whoever asked
    }
  };
  const hello = () => tell({ hello: open.who() });
  const bye = () => tell({ bye: true });
  const answer = (n, value) => {
    const text = JSON.stringify(value);
    const parts = Math.ceil(text.length / PIECE);
    for (let part = 0; part < parts; part++) tell({ n, part, parts, text: text.slice(part * PIECE, (part + 1) * PIECE) });
  };
  const done = (message) => {
    try {
      return open[message.op](message);
    } catch (error) {
      return { failed: String(error?.message ?? error) };
    }
  };
  const take = async (message) => {
    if (!OPS.has(message?.op) || (message.page !== me && message.op !== "who")) return;
    await context.ready;
    const isChange = message.op === "change";
    if (isChange && !given.has(message.n)) given.set(message.n, done(message)); // asked again: answered, not made again
    if (given.size > KEPT) given.delete(given.keys().next().value);
    answer(message.n, isChange ? given.get(message.n) : done(message));
  };

  model.on("msg:custom", take);
  context.ready.then(hello);
  context.pathChanged?.connect(hello);
  window.addEventListener("pagehide", bye);
  return () => {
    model.off("msg:custom", take);
    context.pathChanged?.disconnect(hello);
    window.removeEventListener("pagehide", bye);
    bye();
  };
}

export default { initialize };
