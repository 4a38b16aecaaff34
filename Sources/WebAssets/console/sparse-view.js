import { cellOf, titleOf, waitingCell } from "./cells.js";
import { h, text } from "./dom.js";
import { keyOf } from "./places.js";
import { Scroller } from "./scroller.js";

/** The height of a line, in pixels. */
const height = 44;

/** Shows a sparse list: only what is in sight has nodes, and only that is loaded. */
export class SparseView {
  /** Where each section's lines begin, and the number of all lines at the end. */
  #starts = [0];
  /** The nodes in sight by what they show. */
  #nodes = new Map();

  isSparse = true;

  constructor(list, { drawn }) {
    Object.assign(this, { list, drawn });
    this.scroller = new Scroller({ height, draw: (...range) => this.#draw(...range) });
    this.scroller.node.classList.add("sparse");
    this.node = this.scroller.node;
    // Lines glide where the list changes, not where it is scrolled.
    this.node.addEventListener("scroll", () => this.node.classList.remove("moving"), { passive: true });
    this.change = () => this.#changed();
    for (const type of ["snapshot", "change", "shown", "loaded"]) list.addEventListener(type, this.change);
    this.#changed();
  }

  stop() {
    for (const type of ["snapshot", "change", "shown", "loaded"]) this.list.removeEventListener(type, this.change);
    this.scroller.stop();
  }

  elementAt([section, index]) {
    return this.list.at(section, index);
  }

  nodeAt([section, index]) {
    return [...this.#nodes.values()].find(node => node.path?.[0] === section && node.path[1] === index);
  }

  pathOf(node) {
    return node.path;
  }

  /** Where an element is now that was at `path`, as far as it is loaded near there. */
  find(key, path) {
    const found = [];
    for (const node of this.#nodes.values()) {
      const element = node.path && this.elementAt(node.path);
      if (element && keyOf(element) === key) found.push(node.path);
    }
    const there = path && this.elementAt(path);
    return there && keyOf(there) === key ? path : found[0];
  }

  reveal([section, index]) {
    this.scroller.reveal(this.#starts[section] + this.#hasHeader(section) + index, height);
    this.scroller.drawNow();
  }

  get pageSize() {
    return Math.max(1, Math.floor(this.node.clientHeight / height) - 1);
  }

  #hasHeader(section) {
    return titleOf(this.list.sections[section], "header") ? 1 : 0;
  }

  #changed() {
    const { sections } = this.list;
    this.#starts = [0];
    sections.forEach((section, n) => {
      const footer = titleOf(section, "footer") ? 1 : 0;
      this.#starts.push(this.#starts[n] + this.#hasHeader(n) + section.elements.length + footer);
    });
    this.scroller.resize(this.#starts.at(-1));
    this.node.classList.add("moving");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.node.classList.remove("moving"), 250);
    this.scroller.plan();
  }

  /** What stands on a line: an element, a header or a footer. */
  #line(n, section) {
    const at = n - this.#starts[section] - this.#hasHeader(section), found = this.list.sections[section];
    if (at < 0) return { kind: "header", key: `header ${found.id}`, title: titleOf(found, "header") };
    if (at >= found.elements.length) return { kind: "footer", key: `footer ${found.id}`, title: titleOf(found, "footer") };
    const element = found.elements.at(at), path = [section, at];
    return { kind: "row", key: element ? `row ${keyOf(element)}` : `wait ${found.id} ${at}`, element, path, total: found.elements.length };
  }

  #draw(first, end, offset) {
    const kept = new Map();
    let section = this.#sectionOf(first);
    const wanted = new Map();
    for (let n = first; n < end; n++) {
      while (n >= this.#starts[section + 1]) section++;
      const line = this.#line(n, section);
      if (line.path) want(wanted, line.path);
      // Elements with the same identifier have nodes of their own.
      while (kept.has(line.key)) line.key += "'";
      const node = this.#nodeOf(line);
      node.style.translate = `0 ${n * height - offset}px`;
      kept.set(line.key, node);
    }
    for (const [key, node] of this.#nodes) if (!kept.has(key)) node.remove();
    this.#nodes = kept;
    for (const [at, [from, to]] of wanted) {
      this.list.load(at, from, to).catch(() => setTimeout(() => this.scroller.plan(), 1000));
    }
    this.drawn();
  }

  #nodeOf({ kind, key, element, path, title, total }) {
    const known = this.#nodes.get(key);
    if (kind !== "row") {
      const node = known ?? this.scroller.layer.appendChild(h("div", { class: [kind, "line"], role: "presentation" }));
      return text(node, title);
    }
    const node = element ? cellOf(element, known) : waitingCell(known);
    node.path = path;
    node.setAttribute("aria-setsize", total);
    node.setAttribute("aria-posinset", path[1] + 1);
    if (!known) this.scroller.layer.append(node);
    return node;
  }

  /** The section of a line, found by halves. */
  #sectionOf(line) {
    let low = 0, high = this.#starts.length - 1;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle] <= line) low = middle;
      else high = middle;
    }
    return low;
  }
}

function want(wanted, [section, index]) {
  const range = wanted.get(section);
  if (range) range[1] = index + 1;
  else wanted.set(section, [index, index + 1]);
}
