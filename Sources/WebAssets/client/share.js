import { CallboardError } from "./errors.js";
import { identifier } from "./director.js";
import { parseJSON, stringifyJSON } from "./numbers.js";
import { isSeen } from "./stream.js";

/**
 * After how many seconds without a word of the holder a page asks for one, again and again, and after how many it takes the stream.
 */
const asks = 2, takes = 6;

/**
 * Lets the pages of one origin share a stream: the page that holds a Web Lock has it and passes on what comes. When it
 * goes, the browser gives the lock to another one, whose stream goes on where its own lists are.
 *
 * A page that the browser freezes lets the lock go: it may still answer, but nothing of a stream comes to it. A page that
 * hears nothing from the holder takes the lock from it; one that nobody sees waits longer. A holder whose lock is gone
 * closes its stream, and follows.
 */
export class Share {
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
  /** The page that has the stream, as far as is known: one that does not know yet that it has lost it is not listened to. */
  #holder = "";
  /** The seconds without a word of the holder; counted, since a page that was frozen itself has not waited meanwhile. */
  #quiet = 0;
  #timer = setInterval(() => this.#tick(), 1000);
  #isFrozen = false;
  /**
   * Lets the stream's lock go.
   * @type {(() => void) | undefined}
   */
  #release;

  /**
   * @param {string} name
   * @param {import("./hub.js").Hub} hub
   */
  constructor(name, hub) {
    this.#name = `callboard 2 ${name}`;
    this.#hub = hub;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = message => this.#receive(message.data);
    this.#held = new Promise(resolve => this.#hold(this.#page, resolve));
    this.#seek();
    for (const type of ["freeze", "resume"]) globalThis.document?.addEventListener(type, () => {
      this.#isFrozen = type === "freeze";
      this.#release?.();
      this.#follow();
    }, { signal: this.#end.signal });
  }

  /**
   * Has the holder keep lists for this page, and send those that are not at these positions.
   * @param {() => [string, string][]} lists Asked when the holder is told: the lists may have come by then.
   */
  want(lists) {
    if (this.leads) return;
    this.#held.then(() => this.tell("want", { lists: lists() }));
    this.#quiet ||= 3;
  }

  /** @param {string} name */
  leave(name) {
    if (!this.leads) this.#held.then(() => this.tell("leave", { name }));
  }

  /**
   * @param {string} type
   * @param {object} [more]
   */
  tell(type, more) {
    if (!this.#end.signal.aborted) this.#channel.postMessage({ ...more, type, from: this.#page, leads: this.leads });
  }

  /** Lets the lock go, so that another page takes the stream over. */
  close() {
    clearInterval(this.#timer);
    this.#end.abort();
    this.#channel.close();
  }

  /**
   * Asks for a lock and keeps it to the end.
   * @param {string} name
   * @param {(value?: any) => void} held
   * @param {boolean} [steal] Whether to take it from whoever has it.
   */
  #hold(name, held, steal) {
    navigator.locks.request(`${this.#name} ${name}`, steal ? { steal } : { signal: this.#end.signal }, () => new Promise(resolve => {
      this.#end.signal.addEventListener("abort", resolve);
      held(resolve);
    })).catch(() => {
      if (this.#end.signal.aborted) return;
      if (this.leads) this.#follow();
      // A page that may not use locks has none to share with.
      else setTimeout(() => this.#hub.connectAlone());
    });
  }

  /**
   * Waits for the stream's lock, or takes it.
   * @param {boolean} [steal]
   */
  #seek(steal) {
    this.#hold("", release => {
      if (this.#isFrozen) return release();
      this.#release = release;
      this.leads = true;
      this.#hub.connect();
      this.tell("lead");
    }, steal);
  }

  /** Another page has the stream from now on: what this one has may be of long ago. */
  #follow() {
    this.leads = false;
    this.#holder = "";
    this.#hub.yield();
    this.#seek();
    this.want(() => this.#hub.positions);
  }

  #tick() {
    if (this.leads || !this.#hub.positions.length) return;
    if (++this.#quiet >= asks) this.tell("ask", { isSeen: isSeen() });
    if (this.#quiet < takes) return;
    this.#hub.setStatus("waiting");
    // Pages that nobody sees do not all take it at once, and leave it to one that somebody does.
    if (globalThis.document?.hidden && this.#quiet < 99 * Math.random()) return;
    this.#quiet = 0;
    this.#seek(true);
  }

  /** @param {any} message */
  #receive({ type, from, leads, to, name, text, lists, event, status, problem, isSeen }) {
    if (this.leads) {
      if (type === "want") this.#serve(from, lists);
      if (type === "leave") this.#hub.leave(name, from);
      if (type === "ask") {
        // The timers of a page that nobody sees come late; those of one that somebody does have it look.
        if (isSeen) this.#hub.check();
        this.#hub.tellStatus();
      }
      return;
    }
    if (type === "lead") {
      this.#holder = from;
      this.want(() => this.#hub.positions);
    }
    if (!leads || from !== (this.#holder ||= from)) return;
    this.#quiet = 0;
    if (type === "event") this.#hub.deliver(event, text);
    if (type === "status") this.#hub.setStatus(status);
    if (type === "failed") this.#hub.fail(name, new CallboardError(problem));
    if (to === this.#page) {
      const list = this.#hub.list(name), snapshot = parseJSON(text);
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
        this.tell("list", { to: page, name, text: stringifyJSON(list.snapshot()) });
      }
    }
    this.#hub.tellStatus();
    if (this.#watched.has(page)) return;
    this.#watched.add(page);
    // Each page holds a lock of its own, which comes free when the page is gone.
    navigator.locks.request(`${this.#name} ${page}`, { signal: this.#end.signal }, () => {
      this.#watched.delete(page);
      for (const [name] of this.#hub.positions) this.#hub.leave(name, page);
    }).catch(() => {});
  }
}
