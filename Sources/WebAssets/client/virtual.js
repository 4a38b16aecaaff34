import { Scroller } from "./scroller.js";

/** @typedef {import("./types.js").Element} Element */
/** @typedef {import("./types.js").IndexPath} IndexPath */
/** @typedef {import("./types.js").Section} Section */

/**
 * What a line shows: a header, a footer, or an element, which is undefined until it is loaded.
 * @typedef {{kind: "header" | "footer" | "row", title: string, path: IndexPath, element?: Element, total: number}} Line
 *
 * @typedef {object} ViewOptions
 * @property {number} pitch The height of a line, in pixels.
 * @property {(line: Line, node?: HTMLElement) => HTMLElement} line Makes the node of a line, or changes the one that it has.
 * @property {(section: Section | undefined, side: "header" | "footer") => string} title A section's header or footer.
 * @property {() => void} [redraws] Called where lines are to be drawn again that show the same: the adapters, with their previews, may
 *   have changed.
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
  #end = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {import("./sparse-list.js").SparseList} list
   * @param {ViewOptions} options
   */
  constructor(list, options) {
    this.source = list;
    this.#options = options;
    this.scroller = new Scroller({ pitch: options.pitch, draw: (first, end) => this.#draw(first, end) });
    this.pane = this.scroller.pane;
    // Lines glide where the list changes, not where it is scrolled.
    this.pane.addEventListener("scroll", () => this.pane.classList.remove("moving"), { passive: true });
    // A controller is what has a signal.
    for (const type of types) list.addEventListener(type, this.#changed, this.#end);
    this.#changed();
  }

  /** Ends it. */
  stop() {
    this.#end.abort();
    clearTimeout(this.#timer);
    this.scroller.stop();
  }

  /** @param {IndexPath} path */
  elementAt([section, index]) {
    return this.source.shown[section]?.elements.at(index);
  }

  /** @param {IndexPath} path */
  nodeAt([section, index]) {
    return this.#row(({ path }) => path[0] === section && path[1] === index)?.node;
  }

  /** @param {globalThis.Element} row */
  pathOf(row) {
    return this.#row(({ node }) => node === row)?.path;
  }

  /**
   * Where an element is now that was at `path`, as far as it is loaded near there.
   * @param {string} key
   * @param {IndexPath} path
   * @returns {IndexPath | undefined}
   */
  find(key, path) {
    const isThere = (/** @type {IndexPath} */ place) => {
      const element = this.elementAt(place);
      return element && keyOf(element) === key;
    };
    return isThere(path) ? path : this.#row(({ path }) => isThere(path))?.path;
  }

  /**
   * The first row of those with nodes that it holds for.
   * @param {(row: {node: HTMLElement, path: IndexPath}) => unknown} holds
   */
  #row(holds) {
    for (const shown of this.#nodes.values()) if (shown.kind === "row" && holds(shown)) return shown;
    return undefined;
  }

  /**
   * Brings an element into sight.
   * @param {IndexPath} path
   */
  reveal(path) {
    this.scroller.reveal(this.#lineOf(path), this.#options.pitch);
    this.scroller.drawNow();
  }

  get pageSize() {
    return Math.max(1, Math.floor(this.pane.clientHeight / this.#options.pitch) - 1);
  }

  /** @param {number} section */
  isShown(section) {
    return this.#options.section === undefined || this.source.shown[section]?.id === this.#options.section;
  }

  /**
   * @param {number} section
   * @param {"header" | "footer"} side
   */
  #hasTitle(section, side) {
    return this.#options.title(this.source.shown[section], side) ? 1 : 0;
  }

  /**
   * The line of a row.
   * @param {IndexPath} path
   */
  #lineOf([section, index]) {
    return this.#starts[section] + this.#hasTitle(section, "header") + index;
  }

  /** @param {Event} [event] */
  #changed = event => {
    if (types.indexOf(`${event?.type}`) < 2) this.#options.redraws?.();
    const starts = this.#starts = [0];
    this.source.shown.forEach(({ elements }, n) => {
      const lines = this.isShown(n) ? this.#hasTitle(n, "header") + elements.length + this.#hasTitle(n, "footer") : 0;
      starts.push(starts[n] + lines);
    });
    this.scroller.resize(starts[starts.length - 1]);
    this.pane.classList.add("moving");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.pane.classList.remove("moving"), 250);
    this.scroller.plan();
  };

  /**
   * @param {number} first
   * @param {number} end
   */
  #draw(first, end) {
    /** @type {Map<string, {node: HTMLElement, path: IndexPath, kind: string}>} */
    const drawn = new Map();
    for (let n = first, section = 0; n < end; n++) {
      while (this.#starts[section + 1] <= n) section++;
      this.#place(n, section, drawn);
    }
    const stays = this.#options.kept?.() ?? [-1, 0], far = this.elementAt(stays) ? this.#lineOf(stays) : -1;
    if (far >= 0 && (far < first || far >= end)) this.#place(far, stays[0], drawn);
    for (const [key, { node }] of this.#nodes) if (drawn.get(key)?.node !== node) node.remove();
    this.#nodes = drawn;
    this.#options.drawn();
  }

  /**
   * Draws a line of a section.
   * @param {number} n
   * @param {number} section
   * @param {Map<string, {node: HTMLElement, path: IndexPath, kind: string}>} drawn The lines that are drawn already, and then this one.
   */
  #place(n, section, drawn) {
    const found = this.source.shown[section], { elements } = found, { length: total } = elements, { pitch, line, title } = this.#options;
    const at = n - this.#lineOf([section, 0]), kind = at < 0 ? "header" : at < total ? "row" : "footer";
    const element = kind === "row" ? elements.at(at) : undefined;
    let key = kind !== "row" ? `${kind} ${found.id}` : element ? `row ${keyOf(element)}` : `wait ${found.id} ${at}`;
    // Elements with the same identifier have nodes of their own.
    while (drawn.has(key)) key += "'";
    // The list gathers what is wanted, page by page.
    if (kind === "row" && !element) this.source.load(section, at, at + 1).catch(() => setTimeout(() => this.scroller.plan(), 1000));
    const known = this.#nodes.get(key)?.node, /** @type {IndexPath} */ path = [section, at];
    const node = line({ kind, element, path, total, title: kind === "row" ? "" : title(found, kind) }, known);
    if (node !== known) known?.remove();
    if (!node.parentNode) this.scroller.layer.append(node);
    node.style.translate = `0 ${n * pitch - this.scroller.top}px`;
    drawn.set(key, { node, path, kind });
  }
}

/** What changes what is to be seen. */
const types = ["refresh", "definition", "snapshot", "change", "shown", "loaded"];
