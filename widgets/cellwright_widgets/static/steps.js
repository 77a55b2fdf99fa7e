// The steps of a run, to slide along. The page's own slider is moved by all the keys that a person expects.
function render({ model, el }) {
  const slider = document.createElement("input");
  const show = () => {
    const [value, max] = [model.get("value"), model.get("max")];
    Object.assign(slider, { min: 1, max, value });
    slider.setAttribute("aria-valuetext", `step ${value} of ${max}`);
  };
  const move = (event) => {
    if (!event.isTrusted) return;
    model.set("value", Number(slider.value));
    model.save_changes();
  };
  let timer, watch;
  const begin = () => { // the form beside it is made of plain widgets
    const root = el.closest(".cw-travel");
    if (!root) { timer = setTimeout(begin, 50); return; }
    keepKeys(root, "input, select, textarea");
    watch = new MutationObserver(() => nameFields(root));
    watch.observe(root, { childList: true, subtree: true });
    nameFields(root);
  };

  slider.type = "range";
  slider.className = "cw-steps";
  slider.setAttribute("aria-label", "Step of the run");
  slider.addEventListener("change", move);
  el.append(slider);
  model.on("change:value", show);
  model.on("change:max", show);
  show();
  begin();
  return () => {
    clearTimeout(timer);
    watch?.disconnect();
    model.off("change:value", show);
    model.off("change:max", show);
  };
}

export default { render };
