import { CallboardError } from "./errors.js";
import { pause } from "./transport.js";
import { List } from "./list.js";
import { Awaited, SparseElements } from "./sparse.js";

/** How many rows are loaded at once. */
const pageSize = 100;

/** The pause after requests for rows, in milliseconds: while the list changes, and otherwise. */
const busy = 500, calm = 50;

/**
 * A list of which only the rows are loaded that somebody looks at.
 *
 * Each section knows its length. `load` brings rows; those that were looked at longest ago, farthest away, are forgotten
 * once a section holds more than `limit`.
 * @template [Value=any] What the elements' values are.
 * @extends {List<Value>}
 */
export class SparseList extends List {
  /** How many rows of a section may stay loaded. */
  limit = 5000;
  /**
   * What came while the sections' lengths were asked for.
   * @type {[string, any][] | undefined}
   */
  #waiting;
  /**
   * The next requests for rows.
   * @type {Promise<unknown> | undefined}
   */
  #asking;
  /** When they may be made at the earliest. */
  #next = 0;
  /** When the last changeset came. */
  #changedAt = 0;

  /**
   * @internal
   * @param {string} event
   * @param {any} data
   */
  take(event, data) {
    if (event === "changeset") this.#changedAt = Date.now();
    if (event === "snapshot") this.#open(data);
    else if (this.#waiting) this.#waiting.push([event, data]);
    else super.take(event, data);
  }

  /**
   * @internal
   * @param {import("./types.js").Section} section
   */
  inserted(section) {
    return { ...section, elements: sparse(SparseElements.of(section.elements)) };
  }

  /** @internal */
  snapshot() {
    const sections = this.sections.map(section => ({ ...section, elements: undefined, count: section.elements.length }));
    return { .../** @type {any} */ (super.snapshot()), sections };
  }

  /**
   * The element there, or undefined where it is not loaded.
   * @param {number} section
   * @param {number} index
   * @returns {import("./types.js").Element<Value> | undefined}
   */
  at(section, index) {
    return this.sections[section]?.elements.at(index);
  }

  /**
   * Loads the rows of a part of a section, unless they are there or on their way. The list tells of them with `loaded`.
   *
   * What is wanted while the list keeps changing is gathered, and asked for twice a second.
   * @param {number} section
   * @param {number} from
   * @param {number} end
   * @returns {Promise<void>}
   */
  async load(section, from, end) {
    const elements = elementsOf(this.sections[section]);
    if (!elements) return;
    for (let index = Math.max(from - from % pageSize, 0); index < elements.length && (index < end || index % pageSize); index++) {
      if (elements.item(index)) continue;
      // What stands for the row moves with the changesets that arrive meanwhile.
      elements.splice(index, 1, new Awaited());
      this.#asking ??= this.#ask();
    }
    await this.#asking;
  }

  /** Asks for what is awaited, wherever it has got to by then. */
  async #ask() {
    await (this.#next > Date.now() && pause(this.#next - Date.now()));
    this.#asking = undefined;
    const loads = this.sections.flatMap((section, at) =>
      elementsOf(section).ask(pageSize).map(([first, end]) => this.#load(at, first, end)));
    this.#next = Date.now() + (Date.now() - this.#changedAt < 1000 ? busy : calm);
    await Promise.all(loads);
  }

  /**
   * @param {number} section
   * @param {number} first
   * @param {number} end
   */
  async #load(section, first, end) {
    const elements = elementsOf(this.sections[section]), { version } = this;
    const awaited = Array.from({ length: end - first }, (_, n) => elements.item(first + n));
    /** @type {import("./types.js").Element[]} */
    let found = [];
    try {
      const query = { state: "published", version, offset: first, limit: end - first };
      found = (await this.director.call("GET", `/sections/@${section}/elements`, { query })).body.elements;
    } finally {
      this.#fill(new Map(awaited.map((item, n) => [item instanceof Awaited && item, found[n] && clean(found[n])])), first);
    }
  }

  /**
   * @param {Map<object | false, import("./types.js").Element | undefined>} found
   * @param {number} near
   */
  #fill(found, near) {
    let isChanged = false;
    this.sections = this.sections.map(section => {
      const elements = elementsOf(section).slice();
      if (!elements.fill(found)) return section;
      isChanged = true;
      if (elements.loaded > this.limit) elements.trim(this.limit, near);
      return { ...section, elements: sparse(elements) };
    });
    if (isChanged) this.changed("loaded");
  }

  /**
   * Takes a snapshot without elements, once the lengths of its sections are known.
   * @param {import("./types.js").Snapshot} snapshot
   */
  #open(snapshot) {
    const { sections, counts, version } = snapshot;
    if (sections.length === 1 && counts) sections[0].count = counts.elements;
    if (sections.every(section => section.count !== undefined)) return this.#begin(snapshot);
    /** @type {[string, any][]} */
    const waiting = this.#waiting = [];
    this.#lengths(version, sections.length).then(lengths => {
      // A later snapshot takes the place of one that is not complete yet.
      if (this.#waiting !== waiting) return;
      this.#waiting = undefined;
      sections.forEach((section, n) => section.count = lengths[n]);
      this.#begin(snapshot);
      for (const [event, data] of waiting) if (!this.receive(event, data)) this.resync();
    }).catch(error => {
      if (this.#waiting !== waiting) return;
      this.#waiting = undefined;
      if (error.status === 404) this.resync();
      else this.setStatus("failed", error);
    });
  }

  /** @param {import("./types.js").Snapshot} snapshot */
  #begin(snapshot) {
    this.adopt({ ...snapshot, sections: snapshot.sections.map(({ count, ...section }) =>
      ({ ...section, elements: sparse(new SparseElements(count ?? 0)) })) });
  }

  /**
   * @param {number} version
   * @param {number} total
   */
  async #lengths(version, total) {
    /** @type {number[]} */
    const lengths = [];
    while (lengths.length < total) {
      const query = { state: "published", version, elements: false, offset: lengths.length, limit: 10000 };
      const page = (await this.director.call("GET", "/sections", { query })).body.sections;
      if (!page.length) throw new CallboardError({ status: 404 });
      lengths.push(...page.map((/** @type {{count: number}} */ section) => section.count));
    }
    return lengths;
  }
}

/**
 * A section's element as a changeset has it: by itself it also says where it was.
 * @param {any} element
 * @returns {import("./types.js").Element}
 */
function clean({ section, indexPath, ...element }) {
  return element;
}

/** @param {SparseElements} elements */
const sparse = elements => /** @type {import("./types.js").Element[]} */ (/** @type {unknown} */ (elements));

/** @param {import("./types.js").Section | undefined} section */
const elementsOf = section => /** @type {SparseElements} */ (/** @type {unknown} */ (section?.elements));
