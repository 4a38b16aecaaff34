import { Scroller } from "./scroller.js";
import { firstIndex } from "./sparse.js";

/** @typedef {import("./types.js").Element} Element */
/** @typedef {import("./types.js").IndexPath} IndexPath */
/** @typedef {import("./types.js").Section} Section */

/**
 * What a line shows: a header, a footer, or an element, which is undefined until it is loaded.
 * @typedef {{kind: "header" | "footer" | "row", key: string, title: string, path: IndexPath, element?: Element, total: number}} Line
 *
 * @typedef {object} ViewOptions
 * @property {number} height The height of a line, in pixels.
 * @property {(line: Line, node?: HTMLElement) => HTMLElement} line Makes the node of a line, or changes the one that it has.
 * @property {(section: Section | undefined, side: "header" | "footer") => string} title A section's header or footer.
 * @property {() => void} drawn Called after each drawing.
 * @property {string} [section] The one section that is shown.
 * @property {() => IndexPath | undefined} [kept] A place whose node stays, also out of sight.
 */

/**
 * What identifies an element in its section.
 * @param {Element} element
 */
export const keyOf = element => JSON.stringify([element.row, element.model, element.id]);

/** Shows a sparse list: only what is in sight has nodes, and only that is loaded. */
export class VirtualView {
  /** Where each section's lines begin, and the number of all lines at the end. */
  #starts = [0];
  /**
   * The nodes by what they show.
   * @type {Map<string, {node: HTMLElement, path: IndexPath, kind: string}>}
   */
  #nodes = new Map();
  #options;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {import("./sparse-list.js").SparseList} list
   * @param {ViewOptions} options
   */
  constructor(list, options) {
    this.list = list;
    this.#options = options;
    this.scroller = new Scroller({ height: options.height, draw: (...range) => this.#draw(...range) });
    this.node = this.scroller.node;
    // Lines glide where the list changes, not where it is scrolled.
    this.node.addEventListener("scroll", () => this.node.classList.remove("moving"), { passive: true });
    for (const type of types) list.addEventListener(type, this.#changed);
    this.#changed();
  }

  /** Ends it. */
  stop() {
    for (const type of types) this.list.removeEventListener(type, this.#changed);
    clearTimeout(this.#timer);
    this.scroller.stop();
  }

  /** @param {IndexPath} path */
  elementAt([section, index]) {
    return this.list.shown[section]?.elements.at(index);
  }

  /** @param {IndexPath} path */
  nodeAt([section, index]) {
    for (const { node, path, kind } of this.#nodes.values()) {
      if (kind === "row" && path[0] === section && path[1] === index) return node;
    }
    return undefined;
  }

  /** @param {globalThis.Element} row */
  pathOf(row) {
    for (const { node, path } of this.#nodes.values()) if (node === row) return path;
    return undefined;
  }

  /**
   * Where an element is now that was at `path`, as far as it is loaded near there.
   * @param {string} key
   * @param {IndexPath} [path]
   * @returns {IndexPath | undefined}
   */
  find(key, path) {
    const isThere = (/** @type {IndexPath | undefined} */ place) => {
      const element = place && this.elementAt(place);
      return element && keyOf(element) === key;
    };
    if (isThere(path)) return path;
    for (const { path, kind } of this.#nodes.values()) if (kind === "row" && isThere(path)) return path;
    return undefined;
  }

  /**
   * Brings an element into sight.
   * @param {IndexPath} path
   */
  reveal([section, index]) {
    this.scroller.reveal(this.#starts[section] + this.#hasTitle(section, "header") + index, this.#options.height);
    this.scroller.drawNow();
  }

  get pageSize() {
    return Math.max(1, Math.floor(this.node.clientHeight / this.#options.height) - 1);
  }

  /** @param {number} section */
  isShown(section) {
    return this.#options.section === undefined || this.list.shown[section]?.id === this.#options.section;
  }

  /**
   * @param {number} section
   * @param {"header" | "footer"} side
   */
  #hasTitle(section, side) {
    return this.#options.title(this.list.shown[section], side) ? 1 : 0;
  }

  #changed = () => {
    const starts = this.#starts = [0];
    this.list.shown.forEach(({ elements }, n) => {
      const lines = this.isShown(n) ? this.#hasTitle(n, "header") + elements.length + this.#hasTitle(n, "footer") : 0;
      starts.push(starts[n] + lines);
    });
    this.scroller.resize(starts[starts.length - 1]);
    this.node.classList.add("moving");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.node.classList.remove("moving"), 250);
    this.scroller.plan();
  };

  /**
   * What stands on a line.
   * @param {number} n
   * @returns {Line}
   */
  #line(n) {
    const section = firstIndex(this.#starts.length, at => this.#starts[at] > n) - 1, found = this.list.shown[section];
    const at = n - this.#starts[section] - this.#hasTitle(section, "header"), total = found.elements.length;
    const kind = at < 0 ? "header" : at < total ? "row" : "footer", element = kind === "row" ? found.elements.at(at) : undefined;
    const key = kind !== "row" ? `${kind} ${found.id}` : element ? `row ${keyOf(element)}` : `wait ${found.id} ${at}`;
    return { kind, key, element, path: [section, at], total, title: kind === "row" ? "" : this.#options.title(found, kind) };
  }

  /**
   * @param {number} first
   * @param {number} end
   * @param {number} offset
   */
  #draw(first, end, offset) {
    /** @type {Map<string, {node: HTMLElement, path: IndexPath, kind: string}>} */
    const kept = new Map();
    /** @type {Map<number, [number, number]>} */
    const wanted = new Map();
    const place = (/** @type {number} */ n) => {
      const line = this.#line(n), { kind, path, element } = line;
      if (kind === "row" && !element) wanted.set(path[0], [wanted.get(path[0])?.[0] ?? path[1], path[1] + 1]);
      // Elements with the same identifier have nodes of their own.
      while (kept.has(line.key)) line.key += "'";
      const known = this.#nodes.get(line.key)?.node, node = this.#options.line(line, known);
      if (node !== known) known?.remove();
      if (!node.parentNode) this.scroller.layer.append(node);
      node.style.translate = `0 ${n * this.#options.height - offset}px`;
      kept.set(line.key, { node, path, kind });
    };
    const stays = this.#options.kept?.(), [section, index] = stays ?? [-1, 0];
    const far = stays && this.elementAt(stays) ? this.#starts[section] + this.#hasTitle(section, "header") + index : -1;
    for (let n = first; n < end; n++) place(n);
    if (far >= 0 && (far < first || far >= end)) place(far);
    for (const [key, { node }] of this.#nodes) if (kept.get(key)?.node !== node) node.remove();
    this.#nodes = kept;
    for (const [at, [from, to]] of wanted) {
      this.list.load(at, from, to).catch(() => setTimeout(() => this.scroller.plan(), 1000));
    }
    this.#options.drawn();
  }
}

/** What changes what is to be seen. */
const types = ["snapshot", "change", "shown", "loaded"];
