import { CallboardError } from "./errors.js";
import { List } from "./list.js";
import { parseJSON } from "./numbers.js";
import { Share } from "./share.js";
import { Stream } from "./stream.js";

/**
 * @typedef {object} HubOptions
 * @property {import("./transport.js").Transport} transport
 * @property {(name: string, close: () => void) => List} make
 * @property {(opening: import("./sources.js").Opening) => Promise<void>} read What makes a connection.
 * @property {URLSearchParams} [select] What is selected of the one list that the hub has then.
 * @property {string | undefined} snapshot The form of snapshot that is asked for.
 * @property {string | undefined} share What pages are known by that share a stream; undefined for a stream of its own.
 * @property {number} silence
 */

/** Lists that share one stream: it carries them all, and the events are handed to the one that they are of. */
export class Hub {
  /** @type {Map<string, {list: List, uses: number, pages: Set<string>}>} */
  #lists = new Map();
  /** @type {Stream | undefined} */
  #stream;
  /** @type {Share | undefined} */
  #share;
  #options;
  /** How often in a row something has not fitted. */
  #mismatches = 0;
  /** @type {import("./types.js").Status} */
  #status = "connecting";

  /** @param {HubOptions} options */
  constructor(options) {
    this.#options = options;
    // Whatever has Web Locks has BroadcastChannel, too.
    if (options.share && globalThis.navigator?.locks) this.#share = new Share(options.share, this);
  }

  /**
   * The list of that name; it stays until it is left as often as it was followed.
   * @param {string} name
   * @param {string} [page] Another page, for which the list is kept.
   */
  follow(name, page) {
    let entry = this.#lists.get(name);
    if (!entry || entry.list.status === "over" || entry.list.status === "failed") {
      const list = this.#options.make(name, () => this.leave(name));
      list.resync = () => this.#mend(name);
      entry = { list, uses: 0, pages: new Set() };
      this.#lists.set(name, entry);
      if (this.#status !== "live") list.setStatus(this.#status);
      if (this.#share && !this.#share.leads) this.#share.want(() => [[name, list.position]]);
      else this.connect();
    }
    if (page) entry.pages.add(page);
    else entry.uses++;
    return entry.list;
  }

  /**
   * @param {string} name
   * @param {string} [page]
   */
  leave(name, page) {
    const entry = this.#lists.get(name);
    if (!entry) return;
    if (page) {
      if (!entry.pages.delete(page)) return;
    } else if (--entry.uses === 0) this.#share?.leave(name);
    if (entry.uses > 0 || entry.pages.size) return;
    this.#lists.delete(name);
    if (this.#lists.size) this.#stream?.restart();
    else this.#disconnect();
  }

  #disconnect() {
    this.#stream?.close();
    this.#stream = undefined;
  }

  /** Ends everything. */
  close() {
    this.#disconnect();
    this.#share?.close();
    this.#lists.clear();
  }

  /** Another page has the stream from now on, and is asked for the lists whole: this page may have missed a long time. */
  yield() {
    this.#disconnect();
    for (const [name, { list, uses, pages }] of this.#lists) {
      pages.clear();
      if (uses) list.needsSnapshot = true;
      else this.#lists.delete(name);
    }
  }

  /** Gives sharing up: the page has a stream of its own from now on. */
  connectAlone() {
    this.#share?.close();
    this.#share = undefined;
    this.connect();
  }

  /** The names that are followed, with where each list is. */
  get positions() {
    return [...this.#lists].map(([name, { list }]) => /** @type {[string, string]} */ ([name, list.position]));
  }

  /**
   * A list, if it is followed.
   * @param {string} name
   */
  list(name) {
    return this.#lists.get(name)?.list;
  }

  /** Opens the stream, or has it carry what is followed now. */
  connect() {
    if (this.#stream || !this.#lists.size) return this.#stream?.restart();
    const { select, snapshot } = this.#options;
    this.#stream = new Stream({
      ...this.#options,
      opening: () => {
        const directors = this.#names(), query = new URLSearchParams(select ?? directors.map(name => ["director", name]));
        if (snapshot) query.set("snapshot", snapshot);
        const position = directors.map(name => this.list(name)?.position).filter(Boolean).join(".");
        return { path: select ? `directors/${encodeURIComponent(directors[0])}/changesets` : "changesets", query, directors, position };
      },
      onEvents: events => events.forEach(({ event, data }) => this.deliver(event, data)),
      onStatus: (status, error) => this.setStatus(status, error),
      onRefusal: error => this.#refuse(error),
    });
  }

  /** What the stream is to carry. */
  #names() {
    return [...this.#lists].filter(([, { list }]) => list.status !== "over" && list.status !== "failed").map(([name]) => name);
  }

  /**
   * Hands an event to the list that it is of.
   * @param {string} event
   * @param {string} text
   */
  deliver(event, text) {
    if (this.#stream) this.#share?.tell("event", { event, text });
    const data = parseJSON(text);
    const versions = event === "heartbeat" ? data.versions : undefined;
    for (const [name, { list }] of this.#lists) {
      if (versions ? name in versions : !data.director || data.director === name) {
        // A page without a stream waits for the list first, or for the word that there is none; so does a list that has lost
        // its place.
        if ((this.#stream ? list.isLost : !list.position) && event !== "snapshot" && event !== "end") continue;
        const fits = list.receive(event, versions ? { version: versions[name] } : data);
        if (!fits) this.#mend(name);
        else if (event === "changeset") this.#mismatches = 0;
      }
    }
    // A stream of which every director is gone has nothing left to bring.
    if (event === "end" && !this.#names().length) this.#disconnect();
  }

  /**
   * Asks for a fresh snapshot of a list; less and less often, where the server keeps sending what does not fit.
   * @param {string} name
   */
  #mend(name) {
    const delay = this.#mismatches++ && Math.min(1000 * 2 ** this.#mismatches, 30000);
    setTimeout(() => this.#stream ? this.#stream.restart() : this.#share?.want(() => [[name, ""]]), delay);
  }

  /**
   * @param {import("./types.js").Status} status
   * @param {CallboardError} [error]
   */
  setStatus(status, error) {
    this.#status = status;
    if (this.#stream) this.tellStatus();
    for (const { list } of this.#lists.values()) list.setStatus(status, error);
  }

  /** Has the stream found out whether it still works. */
  check() {
    this.#stream?.check();
  }

  /** Tells the other pages where the stream stands. */
  tellStatus() {
    this.#share?.tell("status", { status: this.#status });
  }

  /**
   * What the server refuses for good. Where it is for one director of several, the others go on.
   * @param {CallboardError} error
   */
  async #refuse(error) {
    const names = this.#names();
    const gone = names.length < 2 ? names : [];
    if (!gone.length && error.status === 404) {
      await Promise.all(names.map(name => this.#options.make(name, () => {}).director.read().catch(refusal => {
        if (refusal.status === 404 && !refusal.isTemporary) gone.push(name);
      })));
      // One that has come back meanwhile is simply asked for again.
      if (!gone.length) return true;
    }
    for (const name of gone.length ? gone : names) this.fail(name, error);
    if (gone.length && gone.length < names.length) return true;
    this.#stream = undefined;
    return false;
  }

  /**
   * @param {string} name
   * @param {CallboardError} error
   */
  fail(name, error) {
    const { type, title, status, detail } = error;
    if (this.#share?.leads) this.#share.tell("failed", { name, problem: { type, title, status, detail } });
    this.list(name)?.setStatus("failed", error);
    this.#lists.delete(name);
  }
}
