import { stringifyJSON } from "./numbers.js";
import { face } from "./apply.js";
import { arrange, match } from "./arrange.js";
import { Motion } from "./motion.js";

/** @typedef {import("./types.js").Element} Element */
/** @typedef {import("./types.js").Section} Section */
/** @typedef {import("./arrange.js").Entry<Element>} Row */

/**
 * @typedef {object} RenderOptions
 * @property {(element: Element, cell: string | undefined, node?: globalThis.Element) => globalThis.Element} [element]
 *   Makes a row of an element and its cell's name. It is called again with the row's node when the element is updated:
 *   it changes that node and returns it, or returns another one that takes its place.
 * @property {(section: Section, node?: globalThis.Element) => {node: globalThis.Element, rows: globalThis.Element}} [section]
 *   Makes the node of a section, and says which node in it takes the rows; called again when the section is updated.
 * @property {boolean} [motion] Whether rows glide; never where the user prefers reduced motion.
 * @property {(state: import("./types.js").ListState) => void} [shown] Called after each state that was drawn.
 * @property {(error: unknown, item: Element | Section) => void} [onError] Told what one of the functions has thrown, once
 *   for each row and section until it is drawn: its identifier stands there, and the others are drawn. Unless given, the
 *   console is told.
 *
 * @typedef {import("./arrange.js").Entry<Section> & {rows: Row[], body: globalThis.Element}} View
 */

/**
 * Shows a list in a node and keeps it up to date, at most once a frame. Values are given to the functions as they are,
 * and by default shown as text, never as HTML.
 *
 * A row keeps its node for as long as its element is in the list, wherever it moves. A frame costs what has changed in
 * it: what is the same object as before is passed over.
 *
 * @param {import("./list.js").List} list A list that is not sparse.
 * @param {globalThis.Element} container
 * @param {RenderOptions} [options]
 * @returns {{update: () => void, stop: () => void}} `update` draws at once; `stop` leaves the nodes as they are.
 */
export function render(list, container, options = {}) {
  const renderer = new Renderer(list, container, options);
  let frame = 0;
  const update = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    renderer.draw();
  };
  const plan = () => void (frame ||= requestAnimationFrame(update));
  const refresh = (/** @type {Event} */ event) => {
    renderer.refresh(/** @type {import("./list.js").ListEvent} */ (event).elements);
  };
  // A controller is what has a signal.
  const end = new AbortController();
  for (const type of ["snapshot", "change", "shown"]) list.addEventListener(type, plan, end);
  list.addEventListener("refresh", refresh, end);
  update();
  return {
    update,
    stop() {
      cancelAnimationFrame(frame);
      end.abort();
    },
  };
}

class Renderer {
  /** @type {View[]} */
  #views = [];
  #motion;
  /** What could not be drawn, by its key. */
  #failed = new Set();

  /**
   * @param {import("./list.js").List} list
   * @param {globalThis.Element} container
   * @param {RenderOptions} options
   */
  constructor(list, container, options) {
    this.list = list;
    this.container = container;
    this.options = options;
    this.#motion = new Motion(options.motion ?? true);
  }

  /** Draws the list as it is now. */
  draw() {
    const state = this.list.getSnapshot();
    this.#motion.measure(this.#views);
    // A row may come from another section, so that all that leave are known before any arrives.
    /** @type {Map<string, Row[]>} */
    const leaving = new Map();
    const found = match(this.#views, state.sections, section => section.id);
    for (const view of found.leaving) {
      for (const row of view.rows) keep(leaving, row);
      view.node.remove();
    }
    const changed = state.sections.flatMap((section, at) => {
      const view = found.entries[at] ?? this.#viewOf(section);
      found.entries[at] = view;
      if (view.item === section && view.rows.length) return [];
      if (!isAlike(view.item, section)) this.#drawSection(view, section);
      view.item = section;
      const rows = match(view.rows, section.elements, keyOf);
      for (const row of rows.leaving) keep(leaving, row);
      return [{ view, rows }];
    });
    arrange(this.container, this.#views = /** @type {View[]} */ (found.entries), found.sources);
    for (const { view, rows } of changed) this.#drawRows(view, rows, leaving);
    for (const rows of leaving.values()) for (const row of rows) row.node.remove();
    this.#motion.play();
    this.options.shown?.(state);
  }

  /**
   * Draws rows anew that are to show again what they show.
   * @param {{at: import("./types.js").IndexPath}[]} [places] All where it is left out.
   */
  refresh(places) {
    const rows = places ? places.map(({ at }) => this.#views[at[0]]?.rows[at[1]]) : this.#views.flatMap(view => view.rows);
    for (const row of rows) if (row) this.#drawRow(row, row.item);
  }

  /**
   * @param {View} view
   * @param {import("./arrange.js").Match<Element>} rows
   * @param {Map<string, Row[]>} leaving
   */
  #drawRows(view, { entries, sources, start, end }, leaving) {
    const { elements } = view.item;
    for (let at = start; at < end; at++) {
      const element = elements[at], row = entries[at] ?? leaving.get(keyOf(element))?.shift();
      if (row) {
        if (face(row.item) !== face(element)) this.#drawRow(row, element);
        row.item = element;
        entries[at] = row;
      } else {
        const node = this.#make(element);
        this.#motion.arrives(node);
        entries[at] = { item: element, node };
      }
    }
    view.rows = /** @type {Row[]} */ (entries);
    arrange(view.body, view.rows, sources, start, end);
  }

  /**
   * @param {Row} row
   * @param {Element} element
   */
  #drawRow(row, element) {
    const node = this.#make(element, row.node);
    if (node !== row.node) row.node.replaceWith(node);
    row.node = node;
  }

  /**
   * @param {Element} element
   * @param {globalThis.Element} [node]
   */
  #make(element, node) {
    const cell = element.cell ?? this.list.definition?.adapters?.find(({ model }) => model === element.model)?.cell;
    return this.#try(keyOf(element), element, node, node => (this.options.element ?? plainRow)(element, cell, node),
      () => plainRow({ ...element, value: element.id }));
  }

  /**
   * What `make` gives; where it throws, a placeholder: what cannot be drawn does not keep the rest from it.
   * @template Made
   * @param {string} key
   * @param {Element | Section} item
   * @param {globalThis.Element | undefined} node
   * @param {(node?: globalThis.Element) => Made} make
   * @param {() => Made} placeholder
   * @returns {Made}
   */
  #try(key, item, node, make, placeholder) {
    try {
      // The functions are not given a placeholder.
      const made = make(this.#failed.has(key) ? undefined : node);
      this.#failed.delete(key);
      return made;
    } catch (error) {
      const { onError = (error, { id }) => console.error(id, error) } = this.options;
      if (!this.#failed.has(key)) onError(error, item);
      this.#failed.add(key);
      return placeholder();
    }
  }

  /**
   * @param {Section} section
   * @returns {View}
   */
  #viewOf(section) {
    const { node, rows } = this.#makeSection(section);
    return { item: section, node, body: rows, rows: [] };
  }

  /**
   * @param {Section} section
   * @param {globalThis.Element} [node]
   */
  #makeSection(section, node) {
    return this.#try(section.id, section, node, node => (this.options.section ?? plainSection)(section, node),
      () => plainSection(section));
  }

  /**
   * @param {View} view
   * @param {Section} section
   */
  #drawSection(view, section) {
    const { node, rows } = this.#makeSection(section, view.node);
    if (rows !== view.body) rows.append(...view.rows.map(row => row.node));
    if (node !== view.node) view.node.replaceWith(node);
    Object.assign(view, { node, body: rows });
  }
}

/** @param {Element} element */
const keyOf = element => `${element.row}\0${element.model}\0${element.id}`;

/**
 * @param {Map<string, Row[]>} leaving
 * @param {Row} row
 */
function keep(leaving, row) {
  const key = keyOf(row.item);
  leaving.set(key, [...leaving.get(key) ?? [], row]);
}

/**
 * Whether a section's header and footer are as before.
 * @param {any} before
 * @param {any} after
 */
function isAlike(before, after) {
  return Object.keys({ ...before, ...after }).every(name => name === "elements" || before[name] === after[name]);
}

/**
 * @param {Element} element
 * @param {string} [cell]
 * @param {globalThis.Element} [node]
 */
function plainRow({ value }, cell, node = document.createElement("li")) {
  node.textContent = typeof value === "string" ? value : stringifyJSON(value);
  return node;
}

/**
 * @param {Section} section
 * @param {globalThis.Element} [node]
 */
function plainSection(section, node) {
  if (!node) {
    node = document.createElement("section");
    node.append(...["h2", "ul", "p"].map(name => document.createElement(name)));
  }
  const [header, rows, footer] = node.children;
  header.textContent = section.headerTitle ?? "";
  footer.textContent = section.footerTitle ?? "";
  for (const title of [header, footer]) title.toggleAttribute("hidden", !title.textContent);
  return { node, rows };
}
