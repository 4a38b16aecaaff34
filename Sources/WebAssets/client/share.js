import { CallboardError } from "./errors.js";
import { identifier } from "./director.js";
import { parseJSON, stringifyJSON } from "./numbers.js";

/** How long the page that holds the stream may take to answer another one, in milliseconds. */
const patience = 5000;

/**
 * Lets the pages of one origin share a stream: the page that holds a Web Lock has it and passes on what comes. When it
 * goes, the browser gives the lock to another one, whose stream goes on where its own lists are.
 *
 * A page that hears nothing from the holder makes a stream of its own.
 */
export class Share {
  /** Whether the browser has what it takes. */
  static get isPossible() {
    return typeof BroadcastChannel === "function" && !!globalThis.navigator?.locks;
  }

  /** Whether this page has the stream. */
  leads = false;

  #name;
  #hub;
  #page = identifier();
  #channel;
  #end = new AbortController();
  /** Fulfilled once this page holds its own lock: the holder of the stream takes a page without one for gone. */
  #held;
  /** @type {Set<string>} */
  #watched = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {string} name
   * @param {import("./hub.js").Hub} hub
   */
  constructor(name, hub) {
    this.#name = `callboard ${name}`;
    this.#hub = hub;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = message => this.#receive(message.data);
    this.#held = new Promise(resolve => this.#hold(this.#page, () => resolve(0)));
    this.#hold("", () => this.#lead());
  }

  /**
   * Has the holder keep lists for this page, and send those that are not at these positions.
   * @param {() => [string, string][]} lists Asked when the holder is told: the lists may have come by then.
   */
  want(lists) {
    if (this.leads) return;
    this.#ask(() => ({ type: "want", lists: lists() }));
    this.#expect(patience);
  }

  /** @param {string} name */
  leave(name) {
    if (!this.leads) this.#ask(() => ({ type: "leave", name }));
  }

  /** @param {() => {type: string, [member: string]: any}} message */
  #ask(message) {
    this.#held.then(() => this.tell({ page: this.#page, ...message() }));
  }

  /** @param {{type: string, [member: string]: any}} message */
  tell(message) {
    if (!this.#end.signal.aborted) this.#channel.postMessage(message);
  }

  /** Lets the lock go, so that another page takes the stream over. */
  close() {
    clearTimeout(this.#timer);
    this.leads = false;
    this.#end.abort();
    this.#channel.close();
  }

  /**
   * Waits for a lock and keeps it to the end.
   * @param {string} name
   * @param {() => void} held
   */
  #hold(name, held) {
    const { signal } = this.#end;
    navigator.locks.request(`${this.#name} ${name}`, { signal }, () => new Promise(resolve => {
      signal.addEventListener("abort", resolve);
      held();
    })).catch(error => {
      // A page that may not use locks has none to share with.
      if (!signal.aborted && !this.leads) setTimeout(() => this.#hub.connectAlone());
      else if (!signal.aborted) throw error;
    });
  }

  #lead() {
    clearTimeout(this.#timer);
    this.leads = true;
    this.#hub.connect();
    this.tell({ type: "lead" });
  }

  /** @param {number} limit */
  #expect(limit) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hub.connectAlone(), limit);
  }

  /** @param {any} message */
  #receive(message) {
    if (this.leads) {
      if (message.type === "want") this.#serve(message.page, message.lists);
      if (message.type === "leave") this.#hub.leave(message.name, message.page);
      return;
    }
    if (["want", "leave"].includes(message.type)) return;
    this.#expect(this.#hub.silence);
    if (message.type === "lead") this.want(() => this.#hub.positions);
    if (message.type === "event") this.#hub.deliver(message.event, message.text);
    if (message.type === "status") this.#hub.setStatus(message.status);
    if (message.type === "failed") this.#hub.fail(message.name, new CallboardError(message));
    if (message.type === "list" && message.page === this.#page) {
      const { name } = message, snapshot = parseJSON(message.text);
      const list = this.#hub.list(name);
      // The holder's stream may have brought the same snapshot after it was asked for.
      if (list?.position !== `${snapshot.epoch}-${snapshot.version}`) list?.receive("snapshot", snapshot);
    }
  }

  /**
   * @param {string} page
   * @param {[string, string][]} lists
   */
  #serve(page, lists) {
    for (const [name, position] of lists) {
      const list = this.#hub.follow(name, page);
      if (list.position && list.position !== position) {
        this.tell({ type: "list", page, name, text: stringifyJSON(list.snapshot()) });
      }
      this.tell({ type: "status", status: list.status });
    }
    if (this.#watched.has(page)) return;
    this.#watched.add(page);
    // Each page holds a lock of its own, which comes free when the page is gone.
    navigator.locks.request(`${this.#name} ${page}`, { signal: this.#end.signal }, () => {
      this.#watched.delete(page);
      for (const [name] of this.#hub.positions) this.#hub.leave(name, page);
    }).catch(() => {});
  }
}
