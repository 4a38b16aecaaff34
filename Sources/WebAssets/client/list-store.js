import { parseJSON, stringifyJSON } from "./client.js";
import { selectionQuery } from "./selection.js";
import { openStorage } from "./storage.js";

/** @typedef {import("./errors.js").CallboardError} CallboardError */
/** @typedef {import("./list.js").List} List */
/** @typedef {import("./selection.js").Selection} Selection */

/**
 * @typedef {object} ListStoreOptions
 * @property {number} [pause] For how many milliseconds changes are gathered before a list is kept again; 2,000 unless given.
 * @property {number} [limit] How many characters a list may take as JSON, 8,000,000 unless given; a longer one is not kept.
 * @property {(error: Error, name: string) => void} [onError] Told that a list could not be kept, and its name.
 * @property {import("./storage.js").RecordStorage} [storage] Where lists are kept, in the place of IndexedDB.
 */

/** The number of a record's form: one of another form counts as none. */
const format = 1;

/**
 * Keeps lists for the next visit of a page.
 *
 * A list of the store is shown at once, before there is a network, and its stream goes on after the version that is kept. What
 * is kept is the published state, not what is shown ahead of it.
 */
export class ListStore {
  #pause;
  #limit;
  #onError;
  #storage;
  /** The lists that are kept. @type {WeakSet<List>} */
  #kept = new WeakSet();

  /**
   * @param {string} name What the lists are kept under: one for each server and each user.
   * @param {ListStoreOptions} options
   */
  constructor(name, { pause = 2000, limit = 8e6, onError = () => {}, storage } = {}) {
    this.#pause = pause;
    this.#limit = limit;
    this.#onError = onError;
    this.#storage = storage ? Promise.resolve(storage) : openStorage(`callboard lists ${name}`);
  }

  /**
   * Follows a list as `callboard.follow` does, beginning with what is kept of it.
   * @template [Value=any] What the elements' values are.
   * @param {import("./client.js").Callboard} callboard
   * @param {string} name
   * @param {Selection} [selection]
   * @returns {Promise<import("./list.js").List<Value>>} The list, which has a version where one is kept; `isStale` until the stream has gone on from it.
   */
  async follow(callboard, name, selection = {}) {
    if (/** @type {{sparse?: boolean}} */ (selection).sparse) throw new TypeError("A sparse list is not kept.");
    const id = identify(name, selection), snapshot = await this.#read(id);
    const { epoch, version, sections, ...definition } = snapshot ?? {};
    const list = callboard.follow(name, { ...selection, from: snapshot && { epoch, version, sections, definition } });
    const isShown = !!snapshot && list.sections === sections;
    if (!this.#kept.has(list)) this.#keep(list, id, isShown);
    return list;
  }

  /**
   * Forgets a list.
   * @param {string} name
   * @param {Selection} [selection]
   */
  async remove(name, selection = {}) {
    await this.#remove(identify(name, selection));
  }

  /**
   * The snapshot that is kept; nothing where it cannot be read, which is thrown away then.
   * @param {string} id
   */
  async #read(id) {
    const storage = await this.#storage;
    try {
      const record = storage.get ? await storage.get(id) : (await storage.all()).find(record => record?.id === id);
      if (!record) return undefined;
      if (record.format === format) {
        const snapshot = parseJSON(record.text);
        if (isSnapshot(snapshot)) return snapshot;
      }
    } catch { /* It is as good as none. */ }
    try {
      await storage.remove(id);
    } catch { /* It is written over. */ }
    return undefined;
  }

  /**
   * Keeps a list each time that it has changed, after a pause, or at once where the page is left.
   * @param {List} list
   * @param {string} id
   * @param {boolean} isKept Whether the list is as it is kept.
   */
  #keep(list, id, isKept) {
    this.#kept.add(list);
    const state = () => [list.epoch, list.version, list.sections, list.definition];
    let kept = isKept ? state() : [];
    /** @type {AbortController | undefined} */
    let waiting;
    const write = () => {
      waiting?.abort();
      waiting = undefined;
      const now = state();
      if (now.every((member, number) => member === kept[number])) return;
      kept = now;
      this.#write(list, id).catch(error => this.#onError(error, list.name));
    };
    const change = () => {
      if (waiting) return;
      const { signal } = waiting = new AbortController(), timer = setTimeout(write, this.#pause);
      signal.addEventListener("abort", () => clearTimeout(timer));
      globalThis.document?.addEventListener("visibilitychange", () => document.hidden && write(), { signal });
      globalThis.addEventListener?.("pagehide", write, { signal });
    };
    for (const type of ["snapshot", "change", "resumed", "definition"]) list.addEventListener(type, change);
    list.addEventListener("status", () => {
      // What is gone, or may not be read any more, is not shown again.
      const { status, error } = list, refusal = /** @type {CallboardError | undefined} */ (error);
      if (status !== "over" && (status !== "failed" || ![403, 404].includes(refusal?.status ?? 0))) return;
      waiting?.abort();
      this.#remove(id).catch(error => this.#onError(error, list.name));
    });
    if (list.version >= 0) change();
  }

  /**
   * @param {List} list
   * @param {string} id
   */
  async #write({ definition, epoch, version, sections }, id) {
    const text = stringifyJSON({ ...definition, epoch, version, sections }), storage = await this.#storage;
    if (text.length <= this.#limit) return void await storage.put({ id, format, text });
    // The earlier state would be shown for longer and longer.
    await storage.remove(id);
    throw new RangeError(`The list takes ${text.length} characters and may take ${this.#limit}`);
  }

  /** @param {string} id */
  async #remove(id) {
    await (await this.#storage).remove(id);
  }
}

/**
 * @param {string} name
 * @param {Selection} selection
 */
const identify = (name, selection) => `${encodeURIComponent(name)} ${selectionQuery(selection)}`;

/**
 * Whether a list can begin with it.
 * @param {any} value
 */
function isSnapshot(value) {
  const { epoch, version, sections } = value ?? {};
  const isNamed = (/** @type {any} */ item) => typeof item?.id === "string";
  return typeof epoch === "string" && epoch && Number.isInteger(version) && version >= 0 && Array.isArray(sections)
    && sections.every(section => isNamed(section) && Array.isArray(section.elements) && section.elements.every(isNamed));
}
