import { titles } from "./titles.js";
import { VirtualView, keyOf } from "./virtual.js";

/** @typedef {import("./types.js").Element} Element */
/** @typedef {import("./types.js").IndexPath} IndexPath */
/** @typedef {import("./types.js").ListState} ListState */
/** @typedef {import("./types.js").Section} Section */

/**
 * @typedef {object} VirtualOptions
 * @property {(element: Element, cell: string | undefined, node?: globalThis.Element) => globalThis.Element} [element]
 *   Makes what a row shows, as the function of `render` does; unless given, a title and the rest of the value as text.
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
  const shown = new Rows(list, options);
  container.append(shown.view.node);
  shown.view.scroller.plan();
  return { node: shown.view.node, reveal: path => shown.view.reveal(path), stop: () => shown.stop() };
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
   * The element that a row was drawn from, and what it shows.
   * @type {WeakMap<globalThis.Element, {element?: Element, node?: globalThis.Element}>}
   */
  #drawn = new WeakMap();

  /**
   * @param {import("./sparse-list.js").SparseList} list
   * @param {VirtualOptions} options
   */
  constructor(list, options) {
    this.list = list;
    this.options = options;
    const { rowHeight = 44, section } = options;
    this.height = rowHeight;
    this.view = new VirtualView(list, {
      height: rowHeight, section, kept: () => this.#active, line: (line, node) => this.#line(line, node), drawn: () => this.#isDrawn(),
      title: (section, side) => section?.[`${side}View`] ?? section?.[`${side}Title`] ?? "",
    });
    const { node, scroller } = this.view;
    mark(node, "list", "listbox");
    node.setAttribute("aria-label", options.label ?? list.name);
    Object.assign(node.style, { position: "relative", overflowY: "auto", overflowAnchor: "none", height: "100%" });
    Object.assign(scroller.space.style, { position: "relative" });
    Object.assign(scroller.layer.style, { position: "sticky", top: "0", height: "0" });
    node.addEventListener("keydown", event => this.#pressed(event));
    node.addEventListener("click", event => this.#clicked(event));
    list.addEventListener("refresh", this.#refresh);
  }

  stop() {
    this.list.removeEventListener("refresh", this.#refresh);
    this.view.stop();
    this.view.node.remove();
  }

  #refresh = () => {
    this.#drawn = new WeakMap();
    this.view.scroller.plan();
  };

  /**
   * @param {import("./virtual.js").Line} line
   * @param {HTMLElement} [known]
   */
  #line({ kind, element, path, title, total }, known) {
    const node = known ?? this.#make(kind);
    const { motion = true } = this.options, glides = motion && this.view.node.classList.contains("moving") && !prefersStillness.matches;
    node.style.transition = known && glides ? "translate 0.25s" : "";
    if (kind !== "row") {
      if (node.textContent !== title) node.textContent = title;
      return node;
    }
    node.setAttribute("aria-setsize", `${total}`);
    node.setAttribute("aria-posinset", `${path[1] + 1}`);
    const before = this.#drawn.get(node);
    if (before?.element === element && before) return node;
    node.toggleAttribute("aria-busy", !element);
    if (!element) mark(node, "row placeholder").textContent = "…";
    const shown = element && this.#draw(element, before?.node);
    if (shown && shown !== before?.node) node.replaceChildren(shown);
    this.#drawn.set(node, { element, node: shown });
    return node;
  }

  /** @param {string} kind */
  #make(kind) {
    const node = document.createElement("div");
    if (kind === "row") mark(node, "row", "option").tabIndex = -1;
    else mark(node, kind, "presentation");
    node.dir = "auto";
    Object.assign(node.style, { position: "absolute", insetInline: "0", top: "0", height: `${this.height}px`, overflow: "hidden", boxSizing: "border-box" });
    return node;
  }

  /**
   * @param {Element} element
   * @param {globalThis.Element} [node]
   */
  #draw(element, node) {
    const key = keyOf(element), make = this.options.element ?? plainRow;
    const cell = element.cell ?? this.list.definition?.adapters?.find(({ model }) => model === element.model)?.cell;
    try {
      const made = make(element, cell, this.#failed.has(key) ? undefined : node);
      this.#failed.delete(key);
      return made;
    } catch (error) {
      const { onError = (error, { id }) => console.error(id, error) } = this.options;
      if (!this.#failed.has(key)) onError(error, element);
      this.#failed.add(key);
      return plainRow({ ...element, value: element.id });
    }
  }

  #isDrawn() {
    if (this.#target && this.view.elementAt(this.#target)) this.#activate(this.#target, true);
    // The row that has been gone to is followed where it moves; where it is gone, its place is kept.
    const found = this.#active && this.view.find(this.#key, this.#active);
    this.#activate(found ?? this.#clamped(this.#active ?? this.#edge(1)), false);
    this.options.shown?.(this.list.getSnapshot());
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
    const before = this.view.node.querySelector('[tabindex="0"]');
    if (before && before !== node) before.setAttribute("tabindex", "-1");
    if (node) node.tabIndex = 0;
    if (focuses) node?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const { key } = event, step = { ArrowDown: 1, ArrowUp: -1, PageDown: this.view.pageSize, PageUp: -this.view.pageSize }[key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = event.target instanceof Node ? /** @type {globalThis.Element} */ (event.target) : undefined;
    if (row?.getAttribute("role") !== "option" && row !== this.view.node) return;
    if (step) this.#go(this.#step(this.#target ?? this.#active, step));
    else if (key === "Home" || key === "End") this.#go(this.#edge(key === "Home" ? 1 : -1));
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
    this.view.node.querySelector('[aria-selected="true"]')?.removeAttribute("aria-selected");
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
   * The place so many rows away, or the last one in that direction.
   * @param {IndexPath | undefined} path
   * @param {number} step
   * @returns {IndexPath | undefined}
   */
  #step(path, step) {
    if (!path) return this.#edge(1);
    const direction = Math.sign(step), sections = this.list.shown;
    let [section, index] = path;
    index += step;
    while (index < 0 || index >= sections[section].elements.length) {
      let next = section + direction;
      while (sections[next] && !this.#has(next)) next += direction;
      if (!sections[next]) return this.#edge(-direction);
      index = direction > 0 ? index - sections[section].elements.length : index + sections[next].elements.length;
      section = next;
    }
    return [section, index];
  }

  /**
   * The first place, or the last one.
   * @param {number} direction 1 or -1.
   * @returns {IndexPath | undefined}
   */
  #edge(direction) {
    const { shown } = this.list, { length } = shown;
    for (let n = 0; n < length; n++) {
      const section = direction > 0 ? n : length - 1 - n;
      if (this.#has(section)) return [section, direction > 0 ? 0 : shown[section].elements.length - 1];
    }
    return undefined;
  }

  /** @param {number} section */
  #has(section) {
    return this.view.isShown(section) && this.list.shown[section].elements.length > 0;
  }

  /**
   * The place, or the nearest that is there.
   * @param {IndexPath | undefined} path
   * @returns {IndexPath | undefined}
   */
  #clamped(path) {
    if (!path || !this.list.shown[path[0]] || !this.#has(path[0])) return this.#edge(1);
    return [path[0], Math.min(path[1], this.list.shown[path[0]].elements.length - 1)];
  }
}

const prefersStillness = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/**
 * Names a node for style sheets, and says what it is.
 * @param {HTMLElement} node
 * @param {string} part
 * @param {string} [role]
 */
function mark(node, part, role) {
  node.setAttribute("part", part);
  if (role) node.setAttribute("role", role);
  return node;
}

/** @param {any} value */
const words = value => typeof value === "object" && !(value instanceof Number) ? JSON.stringify(value) : `${value}`;

/**
 * The title of a value, and the rest of it.
 * @param {Element} element
 * @param {string} [cell]
 * @param {globalThis.Element} [node]
 */
export function plainRow({ id, value }, cell, node) {
  const isPlain = value === null || typeof value !== "object" || value instanceof Number || Array.isArray(value);
  const member = isPlain ? undefined : titles.find(name => value[name] !== undefined && typeof value[name] !== "object");
  const rest = isPlain ? [] : Object.entries(value).filter(([name]) => name !== member);
  const texts = [member ? words(value[member]) : isPlain ? words(value) : id, rest.map(([name, each]) => `${name} ${words(each)}`).join(" · ")];
  const made = node ?? document.createElement("div");
  if (!node) made.append(mark(document.createElement("div"), "title"), mark(document.createElement("div"), "subtitle"));
  texts.forEach((text, n) => {
    const line = /** @type {HTMLElement} */ (made.children[n]);
    line.dir = "auto";
    line.textContent = text;
  });
  return made;
}
