import { render } from "/client.js";
import { cellOf, sectionOf } from "./cells.js";
import { h } from "./dom.js";
import { keyOf } from "./places.js";

/** Shows a list whole, as the client renders it: rows keep their nodes, and glide where they move. */
export class DenseView {
  constructor(list, { drawn }) {
    this.list = list;
    this.node = h("div", { class: "scroller" });
    this.rendering = render(list, this.node, { element: draw, section: sectionOf, shown: () => this.node.isConnected && drawn() });
  }

  stop() {
    this.rendering.stop();
  }

  /** Draws what has changed at once, and not with the next frame. */
  drawNow() {
    this.rendering.update();
  }

  elementAt([section, index]) {
    return this.list.sections[section]?.elements[index];
  }

  nodeAt([section, index]) {
    return this.node.children[section]?.querySelector(".rows").children[index];
  }

  pathOf(node) {
    const rows = node.parentElement;
    return [[...this.node.children].indexOf(rows.parentElement), [...rows.children].indexOf(node)];
  }

  /** Where an element is now that was at `path`. */
  find(key, path) {
    const there = path && this.elementAt(path);
    if (there && keyOf(there) === key) return path;
    for (const [section, { elements }] of this.list.sections.entries()) {
      const index = elements.findIndex(element => keyOf(element) === key);
      if (index >= 0) return [section, index];
    }
    return undefined;
  }

  reveal(path) {
    this.nodeAt(path)?.scrollIntoView({ block: "nearest" });
  }

  get pageSize() {
    return Math.max(1, Math.floor(this.node.clientHeight / 44) - 1);
  }
}

function draw(element, _, node) {
  const cell = cellOf(element, node);
  // A row's own height, as far as it can be shown here.
  cell.style.minHeight = element.height > 0 && element.height <= 400 ? `${element.height}px` : "";
  return cell;
}
