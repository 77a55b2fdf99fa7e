// A node (a string, or [tag, attributes, children]) as elements of the page. Text is only ever text:
// nothing here parses HTML. The allow-list is the one of node.py; a test compares them.
const TAGS = new Set(["article", "blockquote", "code", "del", "details", "div", "em", "figcaption", "figure", "h3", "h4", "header",
  "img", "ins", "li", "ol", "p", "pre", "section", "small", "span", "strong", "summary", "table", "tbody", "td", "th",
  "thead", "time", "tr", "ul"]);
const ATTRIBUTES = new Set(["alt", "aria-hidden", "aria-label", "aria-sort", "class", "data-call", "data-fold", "data-from", "data-run",
  "data-since", "data-to", "data-twin", "open", "role", "scope", "src", "tabindex", "title"]);
const CONTROLS = new Map([["button", new Set(["disabled"])], ["input", new Set(["checked", "placeholder", "type", "value"])]]);
const INPUT_TYPES = new Set(["checkbox", "search"]);
const CONTROL_ATTRIBUTES = new Set(["data-copy", "data-key", "data-part", "data-press"]);
const IMAGE_SOURCE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

function build(node) {
  if (typeof node === "string") return document.createTextNode(node);
  const [tag, attributes, children] = node;
  const own = CONTROLS.get(tag);
  if (!TAGS.has(tag) && !own) return document.createTextNode(`[${tag} is not drawn]`);
  const element = document.createElement(tag);
  if (tag === "button") element.type = "button";
  for (const [name, value] of Object.entries(attributes)) {
    if (!ATTRIBUTES.has(name) && !CONTROL_ATTRIBUTES.has(name) && !own?.has(name)) continue;
    if (name === "src" && !IMAGE_SOURCE.test(value)) continue;
    if (name !== "type" || INPUT_TYPES.has(value)) element.setAttribute(name, value);
  }
  element.wasOpen = element.open; // of a fold: as it was drawn
  if (tag === "details" && !element.open && !findsRoom(element, children)) fillWhenOpened(element, children);
  else for (const child of children) element.append(build(child));
  return element;
}
