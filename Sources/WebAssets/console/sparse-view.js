import { VirtualView } from "../client/virtual.js";
import { cellOf, titleOf, waitingCell } from "./cells.js";
import { h, text } from "./dom.js";

/** Shows a sparse list: only what is in sight has nodes, and only that is loaded. */
export class SparseView extends VirtualView {
  isSparse = true;

  constructor(list, { drawn }) {
    super(list, { pitch: 44, drawn, line, title: (section, side) => section ? titleOf(section, side) : "" });
    this.node = this.pane;
    this.node.classList.add("sparse");
  }

  /** Draws what has changed at once, and not with the next frame. */
  drawNow() {
    this.scroller.drawNow();
  }
}

function line({ kind, element, path, title, total }, known) {
  if (kind !== "row") return text(known ?? h("div", { class: [kind, "line"], role: "presentation" }), title);
  const node = element ? cellOf(element, known) : waitingCell(known);
  node.setAttribute("aria-setsize", total);
  node.setAttribute("aria-posinset", path[1] + 1);
  return node;
}
