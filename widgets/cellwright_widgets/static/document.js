// The open document, where a page lets us reach it (JupyterLab, Notebook 7). The kernel replaces the live view by the
// record itself, but a page that was loaded again, or lost that message, does not hear it. So each page looks into its
// own document: while the run is going, a page loaded again puts back a live view that was not saved; when it has
// ended, a live view that still stands is replaced by the record. One output is changed, and nothing is saved.
const VIEW = "application/vnd.jupyter.widget-view+json";
const LOOK = 500; // milliseconds, longer than the kernel's own replacement takes; twice as long each time: a record is
const LOOKS = 7; // large, and one that is on its way is not sent again and again

const alive = (globalThis.cellwrightAlive ??= new Set()); // what goes on as this page is loaded again, of all views

// all outputs are set: where updateOutputs replaces the first of two live views, JupyterLab draws the second one twice
function replaceOutput(cell, index, output) {
  cell.setOutputs(cell.getOutputs().map((there, at) => (at === index ? output : there)));
}

// every place where the live view stands, as cell and index of the output
function livePlaces(notebook, shown) {
  const isLive = (output) => output.data?.[VIEW]?.model_id === shown;
  return notebook.cells
    .filter((cell) => cell.cell_type === "code")
    .flatMap((cell) => cell.getOutputs().flatMap((output, index) => (isLive(output) ? [{ cell, index }] : [])));
}

function displayed(data) {
  return { output_type: "display_data", data, metadata: {} };
}

function initialize({ model }) {
  const context = model.widget_manager?.context;
  const notebook = context?.model?.sharedModel;
  if (!notebook?.cells) return undefined; // VS Code, Voila, Colab: the kernel's own replacement has to do
  const loadedAgain = model.get("n") > 0;
  const places = () => livePlaces(notebook, model.get("shown"));
  let looks = 0;
  let timer;

  const putBack = () => {
    const index = notebook.cells.findIndex((one) => one.id === model.get("cell") && one.cell_type === "code");
    if (index < 0 || places().length > 0) return;
    const cell = notebook.cells[index];
    const live = displayed({ [VIEW]: { version_major: 2, version_minor: 0, model_id: model.get("shown") } });
    const beside = cell.getOutputs().filter((output) => alive.has(output.data?.[VIEW]?.model_id));
    cell.setOutputs([]); // outputs of an earlier run, which the kernel has cleared and the file still had
    context.model.cells.get(index).trusted = true; // as JupyterLab does with a cell that is run: this one was, in this kernel
    cell.setOutputs([...beside, live]);
  };
  const tell = (content) => {
    try {
      model.send(content);
    } catch {
      // the kernel is gone, and with it whoever would want to know
    }
  };
  const look = () => {
    if (!model.get("ended")) {
      if (loadedAgain) putBack();
    } else if (places().length === 0) {
      tell({ kept: true });
    } else {
      tell({ record: true });
      lookSoon();
    }
  };
  const lookSoon = () => {
    clearTimeout(timer); // not all at the same time: tabs may share one document
    if (looks < LOOKS) timer = setTimeout(look, LOOK * 2 ** looks++ * (1 + Math.random()));
  };
  const lookAnew = () => {
    looks = 0;
    lookSoon();
  };
  const take = (message) => {
    if (!message.record) return;
    for (const { cell, index } of places()) replaceOutput(cell, index, displayed(message.record));
    lookSoon();
  };

  model.on("msg:custom", take);
  model.on("change:ended", lookAnew);
  if (loadedAgain && !model.get("ended")) alive.add(model.get("shown"));
  if (loadedAgain) context.ready.then(lookSoon);
  return () => {
    clearTimeout(timer);
    model.off("msg:custom", take);
    model.off("change:ended", lookAnew);
  };
}
