/**
 * The client of a Callboard server: follows lists, shows them, and changes them.
 *
 *     const board = new Callboard({ url: "https://lists.example", token: async () => fetchToken() });
 *     const list = board.follow("countries");
 *     list.addEventListener("change", event => console.log(event.changeset.version));
 */
import { apply } from "./apply.js";
import { Director } from "./director.js";
import { CallboardError, Mismatch } from "./errors.js";
import { Hub } from "./hub.js";
import { List, ListEvent } from "./list.js";
import { CallboardNumber, parseJSON, stringifyJSON } from "./numbers.js";
import { EventParser } from "./parser.js";
import { render } from "./renderer.js";
import { selectionQuery } from "./selection.js";
import { readWithEventSource, readWithFetch } from "./sources.js";
import { SparseElements } from "./sparse.js";
import { SparseList } from "./sparse-list.js";
import { TokenSource } from "./tokens.js";
import { Transport } from "./transport.js";

/**
 * @typedef {object} CallboardOptions
 * @property {string} [url] The server; in a browser the page's own origin unless given.
 * @property {import("./tokens.js").Token | (() => import("./tokens.js").Token | Promise<import("./tokens.js").Token>)} [token]
 *   The token, or what gives one; a function is asked again before a token ends, and when the server refuses one.
 * @property {"fetch" | "eventsource"} [stream] What carries streams; `eventsource` needs the session's cookie, or a
 *   token for a ticket.
 * @property {string | false} [share] Pages of one origin that say the same share a stream. Pages whose users differ have
 *   to say something different, or false.
 * @property {RequestCredentials} [credentials] Whether cookies go along; `same-origin` unless given.
 * @property {boolean} [causes] Whether mutations name their cause; unless given, where the server is the page's own.
 * @property {number} [silence] After so many milliseconds without a byte a stream counts as dead at the latest; 45,000
 *   unless given. It does 3 seconds after a heartbeat was due, and within 10 where somebody sees the page and no request is answered.
 * @property {typeof fetch} [fetch] What sends requests.
 */

/** A server, and the streams and lists that come from it. */
class Callboard {
  #transport;
  #options;
  #causes;
  /** @type {Map<string, Hub>} */
  #hubs = new Map();

  /** @param {CallboardOptions} [options] */
  constructor(options = {}) {
    const origin = globalThis.location?.origin;
    const url = new URL(options.url ?? "/", globalThis.location?.href).href;
    const send = options.fetch ?? ((input, init) => fetch(input, init));
    this.#options = options;
    this.#transport = new Transport(url, new TokenSource(options.token), send, options.credentials ?? "same-origin");
    // A browser asks another origin whether it takes a header, and one that has not heard of it would refuse everything.
    this.#causes = options.causes ?? (!origin || new URL(url).origin === origin);
  }

  /**
   * Follows a director's published list. The same name and selection give the same list, and what is followed in one go has
   * one stream, but for selections: each has its own. `list.close()` stops it, once for each call.
   * @template [Value=any] What the elements' values are.
   * @template {boolean} [Sparse=false] As the option; it is said where `Value` is.
   * @param {string} name
   * @param {{sparse?: Sparse, from?: import("./types.js").KeptState<Value>} & import("./selection.js").Selection} options `sparse`
   *   loads rows only where they are asked for, and takes no selection. `from` is what a list begins with that has no version yet:
   *   its stream goes on from there.
   * @returns {Sparse extends true ? SparseList<Value> : List<Value>}
   */
  follow(name, { sparse, from, ...selection } = {}) {
    const select = selectionQuery(selection), selected = `${select}`;
    if (sparse && selected) throw new TypeError("A list with a selection cannot be sparse.");
    const key = selected ? `${encodeURIComponent(name)} ${selected}` : `${!!sparse}`;
    let hub = this.#hubs.get(key);
    if (!hub) {
      const { share = "", stream, silence = 45000 } = this.#options;
      hub = new Hub({
        transport: this.#transport, silence, read: stream === "eventsource" ? readWithEventSource : readWithFetch,
        make: (name, close) => new (sparse ? SparseList : List)(name, this.director(name), close, select),
        select: selected ? select : undefined,
        snapshot: sparse ? "reference" : undefined,
        share: share === false ? undefined : `${this.#transport.url} ${key} ${share}`,
      });
      this.#hubs.set(key, hub);
    }
    const list = hub.follow(name);
    // A stream asks where its lists are when this is done.
    if (from && list.version < 0) list.receive("snapshot", list.snapshot(from));
    return /** @type {any} */ (list);
  }

  /**
   * The director of that name: what reads, makes and changes it.
   * @param {string} name
   */
  director(name) {
    return new Director(name, this.#transport, this.#causes);
  }

  /** Stops everything that is followed. */
  close() {
    for (const hub of this.#hubs.values()) hub.close();
    this.#hubs.clear();
  }
}

export {
  Callboard, CallboardError, CallboardNumber, EventParser, List, ListEvent, Mismatch, SparseElements, SparseList, apply,
  parseJSON, render, stringifyJSON };
