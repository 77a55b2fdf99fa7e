// The document that is open in this page, as the kernel reads and changes it. An edit made here shows at once, can be
// undone as the person's own, and never makes JupyterLab ask about a changed file. A change says what it rests on, and
// that is held against the document in the same turn of this script in which it is made: nothing can come in between.
const PLAIN = new Set(["text/plain", "image/png", "image/jpeg"]);

class OpenNotebook {
  constructor(context) {
    this.context = context;
    this.shared = context.model.sharedModel;
  }

  who() {
    const { context } = this;
    return {
      path: context.path,
      client: context.sessionContext?.session?.kernel?.clientId ?? "",
      focus: document.hasFocus(),
      visible: !document.hidden,
      shared: context.model.collaborative === true,
    };
  }

  read() {
    const notebook = this.shared.toJSON();
    for (const cell of notebook.cells) delete cell.metadata?.trusted; // the page's own note, which no file has
    return { notebook, keys: this.shared.cells.map((cell) => cell.id) };
  }

  change({ steps }) {
    const refused = this.refused(steps);
    if (refused) return { refused };
    const touched = () => [this.shared, ...steps.map((step) => this.cell(step.key))];
    const apart = () => touched().forEach((one) => one?.undoManager?.stopCapturing()); // undo steps of their own
    apart();
    for (const step of steps) this[`make_${step.do}`](step);
    apart();
    return { made: steps.length };
  }

  // the first step that can't be made, all before it taken as made; nothing is changed yet
  refused(steps) {
    const sources = new Map(this.shared.cells.map((cell) => [cell.id, cell.source]));
    const isPlace = (step) => step.after === "" || sources.has(step.after);
    const isSame = (step, ...texts) => sources.has(step.key) && texts.includes(sources.get(step.key));
    const can = new Map([
      ["insert", (step) => isPlace(step) && (!sources.has(step.key) || isSame(step, step.cell.source))],
      ["delete", (step) => !sources.has(step.key) || isSame(step, step.expect)],
      ["move", (step) => isPlace(step) && sources.has(step.key)],
      ["rewrite", (step) => isSame(step, step.expect, step.source)],
      ["retype", (step) => isSame(step, step.expect)],
      ["annotate", (step) => step.key === "" || sources.has(step.key)],
      ["attach", (step) => typeof this.cell(step.key)?.setAttachments === "function"],
      ["results", (step) => isSame(step, step.expect) && typeof this.cell(step.key)?.setOutputs === "function"],
    ]);
    for (const step of steps) {
      if (!can.get(step.do)?.(step)) return { do: String(step.do), key: String(step.key) };
      if (step.do === "delete") sources.delete(step.key);
      else if (step.do === "rewrite") sources.set(step.key, step.source);
      else if (step.cell) sources.set(step.key, step.cell.source);
    }
    return null;
  }

  index(key) {
    return this.shared.cells.findIndex((cell) => cell.id === key);
  }

  cell(key) {
    return this.shared.cells[this.index(key)];
  }

  make_insert({ key, after, cell }) {
    if (this.index(key) < 0) this.shared.insertCell(this.index(after) + 1, { ...cell, id: key });
  }

  make_delete({ key }) {
    if (this.index(key) >= 0) this.shared.deleteCell(this.index(key));
  }

  make_move({ key, after }) {
    const from = this.index(key);
    const to = this.index(after) + 1;
    if (to !== from && to !== from + 1) this.shared.moveCell(from, to > from ? to - 1 : to);
  }

  // only what differs is exchanged, so that the person's cursor stays where it is
  make_rewrite({ key, source }) {
    const old = this.cell(key).source;
    const most = Math.min(old.length, source.length);
    let start = 0;
    let end = 0;
    while (start < most && old[start] === source[start]) start++;
    while (end < most - start && old[old.length - 1 - end] === source[source.length - 1 - end]) end++;
    if (old !== source) this.cell(key).updateSource(start, old.length - end, source.slice(start, source.length - end));
  }

  make_retype({ key, cell }) {
    const index = this.index(key);
    this.shared.transact(() => {
      this.shared.deleteCell(index);
      this.shared.insertCell(index, { ...cell, id: key });
    });
  }

  make_annotate({ key, values, gone }) {
    const owner = key === "" ? this.shared : this.cell(key);
    for (const [name, value] of Object.entries(values)) owner.setMetadata(name, value);
    for (const name of gone) owner.deleteMetadata(name);
  }

  make_attach({ key, attachments }) {
    this.cell(key).setAttachments(attachments);
  }

  // leave to run code is no leave to run scripts in the page: what could act there is shown as JupyterLab shows a stranger's
  make_results({ key, outputs, count }) {
    const isPlain = outputs.every((output) => Object.keys(output.data ?? {}).every((mime) => PLAIN.has(mime)));
    const shown = this.context.model.cells.get(this.index(key));
    if (!isPlain && shown) shown.trusted = false;
    this.cell(key).execution_count = count;
    this.cell(key).setOutputs(outputs);
  }
}
