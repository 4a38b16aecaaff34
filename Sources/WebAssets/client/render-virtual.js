import { stringifyJSON } from "./beside.js";
import { node } from "./dom.js";
import { isPicture, partsOf } from "./previews.js";
import { VirtualView, keyOf } from "./virtual.js";

/** @typedef {import("./types.js").Element} Element */
/** @typedef {import("./types.js").IndexPath} IndexPath */
/** @typedef {import("./types.js").ListState} ListState */
/** @typedef {import("./types.js").Section} Section */

/**
 * @typedef {object} VirtualOptions
 * @property {(element: Element, cell: string | undefined, node?: globalThis.Element) => globalThis.Element} [element]
 *   Makes what a row shows, as the function of `render` does; unless given, a row shows what its adapter's preview says, or a
 *   title and the rest of the value.
 * @property {number} [rowHeight] The height of each row, in pixels; 44 unless given.
 * @property {string} [label] The name of the list for screen readers; the list's own unless given.
 * @property {string} [section] The identifier of the one section that is shown.
 * @property {boolean} [motion] Whether rows glide; never where the user prefers reduced motion.
 * @property {(element: Element, path: IndexPath) => void} [select] Called when a row is clicked, or Enter or Space pressed on it.
 * @property {(state: ListState) => void} [shown] Called after each drawing.
 * @property {(error: unknown, element: Element) => void} [onError] Told once for each row that `element` throws for; its
 *   identifier stands there. Unless given, the console is told.
 */

/**
 * Shows a sparse list in a node, however long it is: only rows in sight have nodes, and only they are loaded.
 *
 * The rows are the options of a list box. Arrow keys, Home, End and the page keys go from row to row; Enter, Space and a
 * click select one.
 *
 * @param {import("./sparse-list.js").SparseList} list
 * @param {globalThis.Element} container What is as high as the list's window.
 * @param {VirtualOptions} [options]
 * @returns {{node: HTMLElement, reveal: (path: IndexPath) => void, stop: () => void}} `node` is what scrolls; `reveal`
 *   brings a row into sight; `stop` ends it, and takes the nodes away.
 */
export function renderVirtual(list, container, options = {}) {
  const { view } = new Rows(list, options), { pane } = view;
  container.append(pane);
  view.scroller.plan();
  return {
    node: pane, reveal: path => view.reveal(path),
    stop() {
      view.stop();
      pane.remove();
    },
  };
}

class Rows {
  /**
   * The place that Tab leads to.
   * @type {IndexPath | undefined}
   */
  #active;
  /** What stands at that place. */
  #key = "";
  /**
   * The place to go to once it is loaded.
   * @type {IndexPath | undefined}
   */
  #target;
  /** What could not be drawn, by its key. */
  #failed = new Set();
  /**
   * The elements that rows were drawn from.
   * @type {WeakMap<globalThis.Element, Element | undefined>}
   */
  #drawn = new WeakMap();

  /**
   * @param {import("./sparse-list.js").SparseList} list
   * @param {VirtualOptions} options
   */
  constructor(list, options) {
    this.source = list;
    this.options = options;
    const { rowHeight = 44, section } = options;
    this.pitch = rowHeight;
    this.view = new VirtualView(list, {
      pitch: rowHeight, section, redraws: () => this.#drawn = new WeakMap(), kept: () => this.#active, line: (line, node) => this.#line(line, node), drawn: () => this.#isDrawn(),
      title: (section, side) => section?.[`${side}View`] ?? section?.[`${side}Title`] ?? "",
    });
    const { pane: node, scroller } = this.view;
    node.setAttribute("part", "list");
    node.setAttribute("role", "listbox");
    node.setAttribute("aria-label", options.label ?? list.name);
    node.style.cssText = "position:relative;overflow-y:auto;overflow-anchor:none;height:100%";
    scroller.space.style.position = "relative";
    scroller.layer.style.cssText = "position:sticky;top:0;height:0";
    node.addEventListener("keydown", event => this.#pressed(event));
    node.addEventListener("click", event => this.#clicked(event));
  }

  /**
   * @param {import("./virtual.js").Line} line
   * @param {HTMLElement} [known]
   */
  #line({ kind, element, path, title, total }, known) {
    const node = known ?? this.#make(kind, !element);
    const glides = this.options.motion !== false && this.view.pane.classList.contains("moving") && !prefersStillness.matches;
    node.style.transition = known && glides ? "translate 0.25s" : "";
    if (kind !== "row") {
      if (node.textContent !== title) node.textContent = title;
      return node;
    }
    node.setAttribute("aria-setsize", `${total}`);
    node.setAttribute("aria-posinset", `${path[1] + 1}`);
    if (this.#drawn.has(node) && this.#drawn.get(node) === element) return node;
    node.toggleAttribute("aria-busy", !element);
    if (!element) node.textContent = "…";
    else {
      const before = node.firstElementChild ?? undefined, shown = this.#draw(element, before);
      if (shown !== before) node.replaceChildren(shown);
    }
    this.#drawn.set(node, element);
    return node;
  }

  /**
   * @param {string} kind
   * @param {boolean} waits
   */
  #make(kind, waits) {
    const style = `position:absolute;inset-inline:0;top:0;height:${this.pitch}px;overflow:hidden;box-sizing:border-box`;
    return node("div", { style, dir: "auto", ...kind === "row" ? { part: waits ? "row placeholder" : "row", role: "option", tabindex: "-1" }
      : { part: kind, role: "presentation" } });
  }

  /**
   * @param {Element} element
   * @param {globalThis.Element} [node]
   */
  #draw(element, node) {
    const key = keyOf(element), adapter = this.source.definition?.adapters?.find(({ model }) => model === element.model);
    const { element: make, onError = (error, { id }) => console.error(id, error) } = this.options;
    try {
      const known = this.#failed.has(key) ? undefined : node;
      const made = make ? make(element, element.cell ?? adapter?.cell, known) : previewRow(element, adapter?.preview, known);
      this.#failed.delete(key);
      return made;
    } catch (error) {
      if (!this.#failed.has(key)) onError(error, element);
      this.#failed.add(key);
      return previewRow({ ...element, value: element.id });
    }
  }

  #isDrawn() {
    if (this.#target && this.view.elementAt(this.#target)) this.#activate(this.#target, true);
    // The row that has been gone to is followed where it moves; where it is gone, its place is kept.
    const found = this.#active && this.view.find(this.#key, this.#active);
    this.#activate(found ?? this.#place(this.#count(this.#active)), false);
    this.options.shown?.(this.source.getSnapshot());
  }

  /**
   * Has Tab lead to a place.
   * @param {IndexPath | undefined} path
   * @param {boolean} focuses
   */
  #activate(path, focuses) {
    const node = path && this.view.nodeAt(path), element = path && this.view.elementAt(path);
    if (focuses) this.#target = undefined;
    this.#active = path;
    if (element) this.#key = keyOf(element);
    const before = this.view.pane.querySelector('[tabindex="0"]');
    before?.setAttribute("tabindex", "-1");
    if (node) node.tabIndex = 0;
    if (focuses) node?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const { key } = event, { pageSize } = this.view;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: pageSize, PageUp: -pageSize, Home: -Infinity, End: Infinity }[key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = /** @type {globalThis.Element} */ (event.target);
    if (row.getAttribute("role") !== "option" && row !== this.view.pane) return;
    if (step) this.#go(this.#place(this.#count(this.#target ?? this.#active) + step));
    else if (key === "Enter" || key === " ") this.#select(this.#active);
    else return;
    event.preventDefault();
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const row = event.composedPath().find(node => /** @type {any} */ (node).getAttribute?.("role") === "option");
    const path = row && this.view.pathOf(/** @type {globalThis.Element} */ (row));
    if (!path || !this.view.elementAt(path)) return;
    this.#activate(path, true);
    this.#select(path);
  }

  /** @param {IndexPath | undefined} path */
  #select(path) {
    const element = path && this.view.elementAt(path);
    if (!element) return;
    this.view.pane.querySelector('[aria-selected="true"]')?.removeAttribute("aria-selected");
    this.view.nodeAt(path)?.setAttribute("aria-selected", "true");
    this.options.select?.(element, path);
  }

  /** @param {IndexPath | undefined} path */
  #go(path) {
    if (!path) return;
    this.#target = path;
    this.view.reveal(path);
  }

  /**
   * The place of the row before which so many stand, or the nearest that is there.
   * @param {number} count
   */
  #place(count) {
    /** @type {IndexPath | undefined} */
    let place;
    this.source.shown.every(({ elements: { length } }, section) => {
      if (!this.#has(section)) return true;
      place = [section, Math.max(0, Math.min(count, length - 1))];
      return (count -= length) >= 0;
    });
    return place;
  }

  /**
   * How many rows stand before a place.
   * @param {IndexPath | undefined} place
   */
  #count([section, index] = [0, 0]) {
    return this.source.shown.reduce((count, { elements }, n) => count + (n < section && this.#has(n) ? elements.length : 0), index);
  }

  /** @param {number} section */
  #has(section) {
    return this.view.isShown(section) && this.source.shown[section].elements.length > 0;
  }
}

const prefersStillness = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/**
 * What a row shows: the parts of its preview as text, and a picture.
 * @param {Element} element
 * @param {Partial<import("./types.js").RowParts>} [preview]
 * @param {globalThis.Element} [known]
 */
export function previewRow(element, preview, known) {
  const parts = partsOf(element, preview, stringifyJSON);
  const made = known ?? node("div", { style: "display:flex;align-items:center;gap:.6em" }, part("image"),
    node("div", { style: "flex:1;min-width:0" }, part("title"), part("subtitle")), part("badge"), part("trailing"));
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (made.querySelectorAll("[part]"))) {
    const name = /** @type {keyof typeof parts} */ (line.getAttribute("part")), text = parts[name];
    line.hidden = !text;
    if (name !== "image") line.textContent = text;
    else if (line.dataset.shown !== text) {
      line.dataset.shown = text;
      line.replaceChildren(isPicture(text) ? node("img", { src: text, alt: "", height: "32" }) : [...text].length <= 4 ? text : "");
    }
  }
  return made;
}

/** @param {string} name */
const part = name => node("div", { part: name, dir: "auto" });
