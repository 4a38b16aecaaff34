import { apply, count } from "./apply.js";
import { CallboardError, Mismatch, require } from "./errors.js";
import { Overlays } from "./overlays.js";

/** @typedef {import("./types.js").Changeset} Changeset */
/** @typedef {import("./types.js").Section} Section */

/**
 * What a list tells its listeners: `snapshot`, `change`, `resumed`, `refresh`, `scroll`, `definition`, `end`, `status`,
 * `mismatch`, `shown`.
 */
export class ListEvent extends Event {
  /**
   * Of `change`: what has led to the list's version. The list itself has moved on already.
   * @type {Changeset}
   */
  // @ts-ignore It is there in the events that it is said of.
  changeset;
  /**
   * Of `snapshot`: why an earlier copy was thrown away.
   * @type {string | undefined}
   */
  reset;
  /**
   * Of `end`: the server's reason.
   * @type {string | undefined}
   */
  reason;
  /**
   * Of `mismatch` and of `status`: what went wrong.
   * @type {Error | undefined}
   */
  error;
  /**
   * Of `refresh`: the elements to draw anew; undefined for all.
   * @type {{at: import("./types.js").IndexPath}[] | undefined}
   */
  elements;
  /**
   * Of `scroll`: the element to bring into view, and where.
   * @type {import("./types.js").Scroll | undefined}
   */
  scroll;

  /**
   * @param {string} type
   * @param {List} list
   * @param {{changeset?: Changeset, reset?: string, reason?: string, error?: Error,
   *   elements?: {at: import("./types.js").IndexPath}[], scroll?: import("./types.js").Scroll}} [more]
   */
  constructor(type, list, more = {}) {
    super(type);
    Object.assign(this, more);
    this.list = list;
  }
}

/**
 * A director's published list, kept up to date by a stream.
 *
 * Sections, elements and values are shared between versions, and are not to be changed. Where something does not fit,
 * the list says so with `mismatch`, keeps what it has, and a fresh snapshot follows.
 * @template [Value=any] What the elements' values are.
 */
export class List extends EventTarget {
  /**
   * The published sections, always whole and of `version`.
   * @type {import("./types.js").Section<Value>[]}
   */
  sections = [];
  /** The life of the director that the version belongs to. */
  epoch = "";
  /** The published version; -1 before the first snapshot. */
  version = -1;
  /** @type {import("./types.js").Definition | undefined} */
  definition;
  /** @type {import("./types.js").Status} */
  status = "connecting";
  /**
   * Why the list has failed.
   * @type {Error | undefined}
   */
  error;
  /**
   * Resolves with the list once it has a version; rejects where there will be none.
   * @type {Promise<this>}
   */
  ready;

  /** @internal Whether a snapshot is needed, since something has not fitted. */
  needsSnapshot = true;
  /** @internal Whether the last event did not fit. */
  isLost = false;
  #selection;
  #overlays = new Overlays(() => this.changed("shown"));
  /** @type {Set<(state: import("./types.js").ListState<Value>) => void>} */
  #listeners = new Set();
  /** @type {import("./types.js").ListState<Value> | undefined} */
  #state;
  /** @type {{resolve: (list: any) => void, reject: (error: Error) => void}} */
  // @ts-ignore The constructor sets it.
  #promise;

  /**
   * @internal
   * @param {string} name
   * @param {import("./director.js").Director} director
   * @param {() => void} close
   * @param {URLSearchParams} [selection]
   */
  constructor(name, director, close, selection) {
    super();
    this.name = name;
    this.director = director;
    this.#selection = selection;
    /** Stops following. */
    this.close = close;
    this.ready = new Promise((resolve, reject) => this.#promise = { resolve, reject });
    this.ready.catch(() => {});
  }

  /**
   * Whether there may be a later version than the one that is shown: nothing says that the stream works, or something has
   * not fitted. `status` and `mismatch` tell when it begins, `status` and `snapshot` when it is over.
   */
  get isStale() {
    return this.needsSnapshot || this.status !== "live";
  }

  /**
   * What is to be shown: the published sections with what is shown ahead of time.
   * @returns {import("./types.js").Section<Value>[]}
   */
  get shown() {
    return this.#overlays.over(this.sections);
  }

  /**
   * Calls a listener now and after every change, as Svelte's stores do; returns what ends it.
   * @param {(state: import("./types.js").ListState<Value>) => void} listener
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    listener(this.getSnapshot());
    return () => void this.#listeners.delete(listener);
  }

  /**
   * What the list holds; the same object until something changes, as React's `useSyncExternalStore` wants it.
   * @returns {import("./types.js").ListState<Value>}
   */
  getSnapshot() {
    const { status, epoch, version, shown: sections, definition, error } = this;
    return this.#state ??= { status, epoch, version, sections, definition, error };
  }

  /**
   * Shows changes at once that a mutation is to bring, until the changeset that carries them arrives, or its refusal.
   *
   * What `change` throws the first time is thrown. Of a sparse list it changes the rows that are loaded: `elements` has `map`
   * and `filter`, which pass over the others.
   * @template Result
   * @param {(sections: import("./types.js").Section<Value>[]) => import("./types.js").Section<Value>[]} change What becomes of the
   *   published sections, which are not to be changed themselves; called again for each version in between.
   * @param {Promise<Result>} outcome The mutation's promise.
   * @returns {Promise<Result>} The same promise.
   */
  optimistically(change, outcome) {
    this.#overlays.add(change, outcome, this);
    return outcome;
  }

  /**
   * Reports an event that answers nothing, such as `didSelect`.
   * @param {string} event
   * @param {import("./types.js").IndexPath | {header: number} | {footer: number} | undefined} [at]
   * @param {Record<string, unknown>} [parameters]
   * @returns {Promise<{delivery: string | null}>}
   */
  report(event, at, parameters) {
    return this.#send({ event, ...Array.isArray(at) ? { indexPath: at } : at, parameters });
  }

  /**
   * Asks what a hook answers for each of some elements, such as `rowHeight`.
   * @param {string} event
   * @param {import("./types.js").IndexPath[]} indexPaths
   * @param {Record<string, unknown>} [parameters]
   * @returns {Promise<{value: any, source: string, reason?: string}[]>}
   */
  async ask(event, indexPaths, parameters) {
    if (!indexPaths.length) return [];
    return (await this.#send({ event, indexPaths, parameters })).values;
  }

  /** @param {object} body */
  async #send(body) {
    const options = { query: this.#selection, body: { ...body, version: this.version } };
    return (await this.director.call("POST", "/events", options)).body;
  }

  /** @internal The id after which the stream goes on for this list. */
  get position() {
    return this.needsSnapshot ? "" : `${this.epoch}-${this.version}`;
  }

  /**
   * @internal Takes an event of the stream.
   * @param {string} event
   * @param {any} data
   * @returns {boolean} Whether it fits; where not, a fresh snapshot is needed.
   */
  receive(event, data) {
    this.isLost = false;
    try {
      this.take(event, data);
      return true;
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      this.needsSnapshot = this.isLost = true;
      this.#tell("mismatch", { error });
      return false;
    }
  }

  /**
   * @internal
   * @param {string} event
   * @param {any} data
   */
  take(event, data) {
    if (event === "snapshot") this.adopt(data);
    else if (event === "changeset") this.#change(data);
    else if (event === "end") {
      if (data.reason === "deleted") this.setStatus("over");
      // Of one director of several: it may not be read any more.
      if (data.reason === "forbidden") this.setStatus("failed", new CallboardError({ status: 403, title: "forbidden" }));
      this.#tell("end", { reason: data.reason });
    } else if (event === "resumed") {
      // Of a view, several numbers stand for one list.
      this.version = data.from;
      this.#tell("resumed");
    } else if (event === "heartbeat") {
      require(data.version <= this.version, `at ${this.version}, the server at ${data.version}`);
    } else if (event === "refresh") this.#tell(event, { elements: data.elements });
    else if (event === "scroll") this.#tell(event, { scroll: data });
    else if (event === "definition") {
      // Totals come with versions alone.
      this.definition = { ...data, totals: this.definition?.totals };
      this.changed("definition");
    }
  }

  /**
   * @internal Takes a snapshot whole.
   * @param {import("./types.js").Snapshot} snapshot
   */
  adopt({ sections, epoch, version, counts, reset, ...definition }) {
    count(sections, counts);
    this.needsSnapshot = false;
    Object.assign(this, { sections, epoch, version, definition });
    this.#overlays.settle(this);
    this.#promise.resolve(this);
    this.changed("snapshot", { reset });
  }

  /** @param {Changeset} changeset */
  #change(changeset) {
    const { epoch, from, version, totals } = changeset, { position } = this;
    // What comes twice is known already.
    if (position && epoch === this.epoch && version <= this.version) return;
    require(position === `${epoch}-${from}`, `at ${position || "no version"}, the change from ${epoch}-${from}`);
    this.sections = apply(this.sections, changeset, section => this.inserted(section));
    this.version = version;
    // @ts-ignore A list that changes has a definition.
    if (totals) this.definition = { ...this.definition, totals };
    this.#overlays.settle(this, changeset.causes);
    this.changed("change", { changeset });
  }

  /**
   * @internal What becomes of a section that a changeset brings.
   * @param {Section} section
   */
  inserted(section) {
    return section;
  }

  /** @internal Has a fresh snapshot asked for. */
  resync() {}

  /**
   * @internal What a stream would begin with for a list that is where this one is, or where another state is.
   * @param {import("./types.js").KeptState} state
   * @returns {import("./types.js").Snapshot}
   */
  snapshot({ definition, epoch, version, sections } = this) {
    return /** @type {any} */ ({ ...definition, epoch, version, sections });
  }

  /**
   * @internal
   * @param {import("./types.js").Status} status
   * @param {Error} [error]
   */
  setStatus(status, error) {
    if (this.status === status || this.status === "over") return;
    this.status = status;
    this.error = error;
    if (status === "failed" || status === "over") {
      this.#promise.reject(error ?? new CallboardError({ status: 404, detail: "The director was deleted" }));
    }
    this.changed("status", { error });
  }

  /**
   * @internal Makes what has changed known.
   * @param {string} type
   * @param {{changeset?: Changeset, reset?: string, error?: Error}} [more]
   */
  changed(type, more) {
    this.#state = undefined;
    this.#tell(type, more);
    for (const listener of [...this.#listeners]) {
      try {
        listener(this.getSnapshot());
      } catch (error) {
        // As of an event's listener: the others are told, and the stream goes on.
        setTimeout(() => { throw error; });
      }
    }
  }

  /**
   * @param {string} type
   * @param {ConstructorParameters<typeof ListEvent>[2]} [more]
   */
  #tell(type, more) {
    this.dispatchEvent(new ListEvent(type, this, more));
  }
}
