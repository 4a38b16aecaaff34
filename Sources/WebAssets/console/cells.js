/** What a row of a list shows, as far as a value tells. */
import { fill, h, text } from "./dom.js";
import { line } from "./json.js";

const titles = ["title", "name", "label", "text", "subject", "firstName", "id"];

/** The cell of an element: its title, the rest of its value, and what is configured. */
export function cellOf(element, node) {
  const cell = node ?? h("div", { class: "row", role: "option" },
    h("span", { class: "label" }, h("span", { class: "title", dir: "auto" }), h("span", { class: "detail", dir: "auto" })), h("span", { class: "grip", "aria-hidden": "true" }));
  const [title, detail] = wordsOf(element);
  const [first, second] = cell.firstChild.children;
  text(first, title);
  text(second, detail);
  second.hidden = !detail;
  cell.removeAttribute("aria-busy");
  return cell;
}

/** A cell whose element is on its way. */
export function waitingCell(node) {
  const cell = cellOf({ id: "", value: "…" }, node);
  cell.setAttribute("aria-busy", "true");
  return cell;
}

function wordsOf({ id, value, row, cell, config }) {
  const shown = config ? Object.entries(config).map(([name, each]) => `${name}: ${line(each, 60)}`) : [];
  if (value === null || value === undefined) return [cell ?? row ?? id, shown.join(" · ")];
  if (typeof value !== "object" || value instanceof Number || Array.isArray(value)) return [line(value), shown.join(" · ")];
  const member = titles.find(name => (["string", "number"].includes(typeof value[name]) || value[name] instanceof Number) && `${value[name]}` !== "")
    ?? Object.keys(value).find(name => typeof value[name] === "string");
  const rest = Object.entries(value).filter(([name]) => name !== member).map(([name, each]) => `${name} ${line(each, 80)}`);
  return [member === undefined ? line(value) : `${value[member]}`, member === undefined ? shown.join(" · ") : [...rest, ...shown].join(" · ")];
}

/** A section's header or footer. */
export function titleOf(section, side) {
  const view = section[`${side}View`];
  return view ? `${view}` : section[`${side}Title`] ?? "";
}

/** The node of a section: header, rows, footer. */
export function sectionOf(section, node) {
  const made = node ?? h("div", { role: "group", class: "section" },
    h("div", { class: "header", dir: "auto" }), h("div", { class: "rows", role: "presentation" }), h("div", { class: "footer", dir: "auto" }));
  const [header, rows, footer] = made.children;
  fill(header, titleOf(section, "header"));
  fill(footer, titleOf(section, "footer"));
  header.hidden = !header.textContent;
  footer.hidden = !footer.textContent;
  made.setAttribute("aria-label", titleOf(section, "header") || section.id);
  return { node: made, rows };
}
