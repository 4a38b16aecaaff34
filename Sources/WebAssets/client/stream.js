import { CallboardError, own } from "./errors.js";
import { jittered, pause } from "./transport.js";

/**
 * @typedef {object} StreamOptions
 * @property {import("./transport.js").Transport} transport
 * @property {(opening: import("./sources.js").Opening) => Promise<void>} read What makes one connection.
 * @property {() => Pick<import("./sources.js").Opening, "path" | "query" | "directors" | "position">} opening Asked before each
 *   connection: what it is to carry, and where to go on.
 * @property {(events: import("./types.js").StreamEvent[]) => void} onEvents
 * @property {(status: import("./types.js").Status, error?: CallboardError) => void} onStatus
 * @property {(error: CallboardError) => boolean | Promise<boolean>} onRefusal Told of what another attempt does not
 *   mend; true has another made all the same, since something else is asked for now.
 * @property {number} silence After so many milliseconds without a byte a connection counts as dead, also where heartbeats come
 *   more seldom.
 */

/** Why a connection is given up that works: another one is wanted at once. */
const again = Symbol("again");

/** How much later than expected a heartbeat may come, in milliseconds. */
const margin = 3000;

/** After how many milliseconds without a byte a page that somebody sees asks whether the server can be had. */
const quiet = 4000;

/**
 * Within how many milliseconds the server has to answer. With `quiet` and what two looks may come late, a page that has missed a
 * change says so within nine seconds.
 */
const patience = 3000;

/** Whether somebody sees the page. */
export const isSeen = () => globalThis.document?.visibilityState === "visible";

/** Keeps a stream open: makes connections, one after the other, and waits in between as the server asks. */
export class Stream {
  #options;
  #control = new AbortController();
  #over = new AbortController();
  /** How long a connection may bring nothing: the server's heartbeat comes every 15 seconds unless it is known better. */
  #limit = 15000 + margin;
  /** When the last heartbeat came, if nothing has come since. */
  #beat = 0;
  /** When the last sign of life came: a byte, or the server's answer. */
  #heard = 0;
  /** When the server was asked for one; 0 where it has answered. */
  #asked = 0;
  /**
   * How often in a row it has not answered: a page whose connections are all streams cannot ask. It tries once more when a change
   * has come.
   */
  #misses = 0;
  /** Looks after the stream while the page is seen. */
  #timer = setInterval(() => isSeen() && this.check(), 1000);
  /** How often in a row a connection that worked was given up since nothing came. */
  #silences = 0;
  #isWaiting = false;
  /** The connections in a row that have brought nothing. */
  #failures = 0;
  /** How often in a row the server has ended the stream because of the token. */
  #refusals = 0;
  #retry = 1000;
  /** Whether the connection has brought something: an answer alone may be of what stands between. */
  #isLive = false;
  /** @type {string | undefined} */
  #refused;

  /** @param {StreamOptions} options */
  constructor(options) {
    this.#options = options;
    for (const type of ["offline", "online"]) {
      globalThis.addEventListener?.(type, () => this.#turn(type === "online"), { signal: this.#over.signal });
    }
    this.#run();
  }

  /** Makes another connection at once, since what it is to carry has changed. */
  restart() {
    this.#control.abort(again);
  }

  /** Ends the stream for good. */
  close() {
    clearInterval(this.#timer);
    this.#over.abort();
    this.#control.abort();
  }

  /**
   * Finds out whether the server can be had where a stream that works has fallen silent; called again and again while somebody sees
   * what it brings. Heartbeats that come often do without.
   */
  check() {
    const now = Date.now(), control = this.#control, { fetch, url } = this.#options.transport;
    if (!this.#isLive || this.#limit <= 2 * quiet || this.#misses > 1) return;
    if (this.#asked) {
      if (now - this.#asked < patience) return;
      this.#misses++;
      control.abort(CallboardError.unreachable("silence"));
    } else if (now - this.#heard >= quiet) {
      this.#asked = now;
      // A refusal is an answer, too: it may be of what lets streams pass, and nothing else.
      fetch(`${url}/livez`, { signal: control.signal, cache: "no-store" }).catch(() => {}).then(() => {
        if (control.signal.aborted) return;
        this.#misses = 0;
        this.#hear();
      });
    }
  }

  #hear() {
    this.#heard = Date.now();
    this.#asked = 0;
  }

  /**
   * The browser says whether it has a network: a connection that needs one is no good, and a pause has no sense any more.
   * @param {boolean} isOnline
   */
  #turn(isOnline) {
    if (isOnline !== this.#isWaiting) return;
    this.#failures = 0;
    this.#control.abort(isOnline ? again : CallboardError.unreachable("offline"));
  }

  async #run() {
    // What is followed in one go shares the first connection.
    await null;
    while (!this.#over.signal.aborted) {
      const control = this.#control = new AbortController();
      const error = await this.#connect(control).catch(error => error);
      if (this.#over.signal.aborted) return;
      const reason = control.signal.aborted ? control.signal.reason : error;
      // A connection that was replaced may have left its successor's signal aborted already.
      control.abort();
      if (reason === again) continue;
      const problem = reason instanceof CallboardError ? reason : CallboardError.unreachable(reason);
      if (!problem.isTemporary) {
        if (await this.#options.onRefusal(problem)) continue;
        return this.close();
      }
      await this.#wait(problem);
    }
  }

  /** @param {AbortController} control */
  async #connect(control) {
    const { transport, opening, read, onStatus, silence } = this.#options;
    // What keeps failing is told once, and that it has come back.
    if (this.#failures < 2) onStatus("connecting");
    this.#isLive = false;
    if (this.#refused) await transport.tokens.get(this.#refused);
    this.#refused = undefined;
    const token = await transport.tokens.get();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const listen = () => {
      this.#hear();
      clearTimeout(timer);
      timer = setTimeout(() => {
        // A server that falls silent each time may have a heart that beats more slowly.
        if (this.#isLive && this.#silences++) this.#limit = silence;
        control.abort(CallboardError.unreachable("silence"));
      }, Math.min(this.#limit, silence));
    };
    listen();
    // The next token is asked for before this one ends; the stream then goes on with it.
    const renewal = transport.tokens.remaining;
    const renew = renewal < 2 ** 31 ? setTimeout(() => control.abort(again), renewal) : undefined;
    try {
      await read({
        transport, ...opening(), signal: control.signal,
        onEvents: (events, retry) => {
          listen();
          this.#retry = Math.min(retry ?? this.#retry, 3.6e6);
          if (control.signal.aborted || !events.length) return;
          this.#listen(events);
          this.#failures = 0;
          if (!this.#isLive) onStatus("live");
          this.#isLive = true;
          this.#options.onEvents(events);
          if (events.some(({ event }) => event === "changeset")) this.#misses &&= 1;
          for (const event of events) if (event.event === "end") this.#end(JSON.parse(event.data), control, token);
          if (events.some(({ event }) => event === "changeset" || event === "heartbeat")) this.#refusals = this.#silences = 0;
        },
      });
      throw CallboardError.unreachable("the server closed the stream");
    } finally {
      clearTimeout(timer);
      clearTimeout(renew);
    }
  }

  /**
   * Learns from two heartbeats, one after the other, how often they come.
   * @param {import("./types.js").StreamEvent[]} events
   */
  #listen(events) {
    const now = events.every(({ event }) => event === "heartbeat") ? Date.now() : 0;
    if (now && this.#beat) this.#limit = Math.max(now - this.#beat, 5000) + margin;
    this.#beat = now;
  }

  /**
   * Acts on the server's word that the stream is over because of its token. A director that is gone is its list's
   * business, and a server that closes also closes the connection.
   * @param {{reason: string, director?: string}} end
   * @param {AbortController} control
   * @param {string | undefined} token
   */
  #end({ reason, director }, control, token) {
    const isToken = reason === "expired" || reason === "revoked";
    if (!isToken && (director || reason !== "forbidden")) return;
    const canRenew = isToken && this.#options.transport.tokens.canRenew;
    this.#refused = token;
    const detail = `The server ended the stream: ${reason}`;
    // One that ends the stream for every new token is asked less and less often.
    if (canRenew && this.#refusals++ === 0) control.abort(again);
    else control.abort(new CallboardError({ type: own + reason, status: canRenew ? 503 : isToken ? 401 : 403, title: reason, detail }));
  }

  /**
   * Waits before the next connection: what the server asks for, doubled with each failure up to half a minute or what it
   * asks for, of which a random part; where the browser is offline, until it is not.
   * @param {CallboardError} problem Why there is none now.
   */
  async #wait(problem) {
    this.#options.onStatus("waiting", problem);
    const doubled = Math.min(this.#retry * 2 ** Math.min(Math.max(this.#failures, this.#refusals - 1), 10), Math.max(this.#retry, 30000));
    this.#failures++;
    const control = this.#control = new AbortController();
    this.#isWaiting = true;
    // A server of the same machine can be had offline: that is tried once.
    const isOffline = this.#failures > 1 && globalThis.navigator?.onLine === false;
    await pause(isOffline ? Infinity : Math.max(jittered(doubled), (problem.retryAfter ?? 0) * 1000), control.signal);
    this.#isWaiting = false;
  }
}
