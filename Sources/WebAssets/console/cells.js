/** What a row of a list shows, as far as a value tells. */
import { fill, h, text } from "./dom.js";
import { isPicture } from "../client/previews.js";
import { partsOf } from "./previews.js";

const part = name => h("span", { class: name, dir: "auto", hidden: true });

/** The cell of an element, with the parts that its preview has, or that its value lets guess. */
export function cellOf(element, node) {
  const cell = node ?? h("div", { class: "row", role: "option" }, h("span", { class: "image", hidden: true }),
    h("span", { class: "label" }, part("title"), part("detail")), part("badge"), part("trailing"), h("span", { class: "grip", "aria-hidden": "true" }));
  const { title, subtitle, image, badge, trailing } = partsOf(element);
  const [picture, label, third, fourth] = cell.children, [first, second] = label.children;
  for (const [each, value] of [[first, title], [second, subtitle], [third, badge], [fourth, trailing]]) {
    text(each, value);
    each.hidden = !value;
  }
  show(picture, image);
  cell.removeAttribute("aria-busy");
  return cell;
}

/** A picture of the console's own origin or in the value itself; other hosts are asked for nothing, and a sign stands for itself. */
function show(node, image) {
  if (node.dataset.shown === image) return;
  node.dataset.shown = image;
  node.hidden = !image;
  if (isPicture(image)) fill(node, h("img", { src: image, alt: "", loading: "lazy" }));
  else text(node, [...image].length <= 4 ? image : "");
}

/** A cell whose element is on its way. */
export function waitingCell(node) {
  const cell = cellOf({ id: "", value: "…" }, node);
  cell.setAttribute("aria-busy", "true");
  return cell;
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
