/**
 * Elements, numbers and times.
 *
 *     h("p", { class: "note", onclick: fn, hidden: false }, "text", node, null)
 *
 * Everything from outside goes through `h` or `textContent`, and so is shown as text.
 */

/**
 * Makes an element. Members that begin with `on` are listeners; `true` is an empty attribute; `false`, `null` and
 * undefined leave the attribute out; `class` may be an array. Children are nodes or text; arrays are flattened.
 */
export function h(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) set(node, name, value);
  node.append(...nodes(children));
  return node;
}

/** Makes an element of a drawing. */
export function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function set(node, name, value) {
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else if (name === "value") node.value = value ?? "";
  else if (value === false || value === null || value === undefined) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : Array.isArray(value) ? value.filter(Boolean).join(" ") : value);
}

function nodes(children) {
  return children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false);
}

/** Lines in the place of what is not loaded yet. */
export function skeleton(lines = 3) {
  return h("div", { class: "skeleton", role: "img", "aria-label": "Loading" }, Array.from({ length: lines }, () => h("span")));
}

/** Puts children in place of what a node has. */
export function fill(node, ...children) {
  node.replaceChildren(...nodes(children));
  return node;
}

/** Sets a node's text where it differs, so that a selection in it stays. */
export function text(node, value) {
  if (node.textContent !== `${value}`) node.textContent = value;
  return node;
}

/** A link to a page of the console: `link("/lists/a", "a")`. */
export function link(address, ...children) {
  return h("a", { href: `#${address}` }, ...children);
}

/**
 * An address with what is put in escaped: address`/lists/${name}`. What a browser would take for another path is refused:
 * `..` leads upwards however it is written.
 */
export function address(strings, ...values) {
  return strings.reduce((sum, piece, n) => sum + segment(values[n - 1]) + piece);
}

function segment(value) {
  if (["", ".", ".."].includes(`${value}`)) throw new Error(`“${value}” cannot stand in an address.`);
  return encodeURIComponent(value);
}

const plain = new Intl.NumberFormat("en-GB");
const short = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 3 });

/** A number with separators; a fraction has three digits. */
export function number(value) {
  if (value === undefined || value === null || Number.isNaN(value)) return "–";
  return Number.isInteger(value) || Math.abs(value) >= 1000 ? plain.format(Math.round(value)) : short.format(value);
}

/** `count(1, "element")` is "1 element", `count(2, "reply", "replies")` "2 replies". */
export function count(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** A number of bytes in KiB, MiB, GiB; a dash where it is not known. */
export function bytes(value) {
  if (value === undefined) return number(value);
  for (const unit of ["B", "KiB", "MiB"]) {
    if (Math.abs(value) < 1024) return `${number(value < 10 ? value : Math.round(value))} ${unit}`;
    value /= 1024;
  }
  return `${short.format(value)} GiB`;
}

/** A time that the server has measured, such as `12ms`. */
export const measured = milliseconds => span(parseInt(milliseconds) / 1000);

/** A span of seconds in its largest unit. */
export function span(seconds) {
  if (seconds < 1) return `${short.format(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds < 10 ? short.format(seconds) : Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h`;
  return count(Math.floor(seconds / 86400), "day");
}

/** How long a moment is ago, or how soon it comes. */
function relative(date) {
  const seconds = (Date.now() - date) / 1000;
  if (Math.abs(seconds) < 1) return "now";
  return seconds > 0 ? `${span(Math.floor(seconds))} ago` : `in ${span(Math.floor(-seconds))}`;
}

/** A `<time>` that says how long ago a moment is, and stays right; pass it as `node` to give it another moment. */
export function when(date, node = h("time", { "data-relative": true })) {
  const moment = new Date(date);
  if (Number.isNaN(moment.getTime())) return text(node, "–");
  node.dateTime = moment.toISOString();
  node.title = moment.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
  return text(node, relative(moment));
}

/** Brings the relative times of the page up to date; the shell calls it each second. */
export function tick() {
  for (const node of document.querySelectorAll("time[data-relative][datetime]")) text(node, relative(new Date(node.dateTime)));
}

/** A button that copies what `content()` gives. */
export function copyButton(content, label = "Copy") {
  const button = h("button", { type: "button", class: "quiet", onclick: async () => {
    const value = typeof content === "function" ? content() : content;
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      isCopied = copyBySelection(value, button);
    }
    text(button, isCopied ? "Copied" : "Not copied");
    announce(button.textContent);
    setTimeout(() => text(button, label), 1500);
  } }, label);
  return button;
}

/** Copies where the page is not from a safe origin and has no clipboard; what is shown stays within an open dialog. */
function copyBySelection(value, button) {
  const area = h("textarea", { class: "unseen", "aria-hidden": "true", value });
  button.after(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  button.focus();
  return isCopied;
}

/** Tells screen readers something; `isUrgent` breaks in. */
export function announce(message, isUrgent = false) {
  const region = document.getElementById(isUrgent ? "alerts" : "notices");
  if (!region) return;
  region.textContent = "";
  // The same text twice in a row is read out twice only where the region was empty in between.
  setTimeout(() => text(region, message), 50);
}

/** A name that no other element of the page has. */
export const unique = (() => {
  let made = 0;
  return prefix => `${prefix}-${++made}`;
})();
