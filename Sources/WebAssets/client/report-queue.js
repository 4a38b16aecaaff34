import { CallboardError } from "./client.js";
import { identifier } from "./director.js";
import { ReportRecords, failure, written } from "./report-records.js";
import { jittered, pause } from "./transport.js";

/** @typedef {import("./report-records.js").Report} Report */
/** @typedef {import("./report-records.js").ReportedEvent} ReportedEvent */
/** @typedef {import("./report-records.js").Waiting} Waiting */

/**
 * @typedef {{delivery?: string | null, deliveries?: string[], values?: any[], problem?: any}} Outcome What the server answers.
 *
 * @typedef {object} ReportQueueOptions
 * @property {string} [name] What the reports are kept under, `reports` unless given: one for each server and each user.
 * @property {number} [limit] How many reports may wait; 1,000 unless given.
 * @property {number} [size] How many characters they may have together, as they are kept; 4,194,304 unless given.
 * @property {(report: Report, problem: CallboardError) => void} [onRefused] Told, in the page that has sent it, of a report that the
 *   server has refused for good.
 * @property {import("./storage.js").RecordStorage} [storage] Where reports are kept, in the place of IndexedDB.
 */

/**
 * Reports that are on their way to the server: kept in order, and sent again until the server has taken them.
 *
 * Each report has an idempotency key of its own, which goes with each attempt: the server delivers it at least once, and once in
 * effect. Reports are kept in IndexedDB, and sent by the next page where this one goes before. Of several pages one at a time
 * sends, that which has a Web Lock; where there are none, each page does.
 */
export class ReportQueue {
  /** What could not be read, in words. The records stay where they are kept, under identifiers that begin with `damaged`. */
  get faults() {
    return this.#records.faults;
  }

  /**
   * Whether reports survive the page; undefined before `ready`.
   * @type {boolean | undefined}
   */
  survives;
  /**
   * Resolves with the queue once it has read what is kept.
   * @type {Promise<ReportQueue>}
   */
  ready;

  #callboard;
  #name;
  #limit;
  #size;
  #onRefused;
  #records = new ReportRecords();
  /**
   * What waits, of every page.
   * @type {Map<string, Waiting>}
   */
  #waiting = new Map();
  /**
   * Who in this page waits for a report's outcome.
   * @type {Map<string, {resolve: (outcome: any) => void, reject: (error: Error) => void}>}
   */
  #callers = new Map();
  /**
   * Fulfilled once all that was to be done with the storage is done: it is done in order.
   * @type {Promise<unknown>}
   */
  #turn;
  #end = new AbortController();
  #request = new AbortController();
  #wake = new AbortController();
  #isSending = false;
  /** @type {LockManager | undefined} */
  #locks;
  /** @type {BroadcastChannel | undefined} */
  #channel;

  /**
   * @param {import("./client.js").Callboard} callboard
   * @param {ReportQueueOptions} options
   */
  constructor(callboard, { name = "reports", limit = 1000, size = 1 << 22, onRefused = () => {}, storage } = {}) {
    this.#callboard = callboard;
    this.#name = `callboard reports ${name}`;
    this.#limit = limit;
    this.#size = size;
    this.#onRefused = onRefused;
    this.ready = this.#open(storage).then(() => this);
    this.#turn = this.ready;
    this.ready.then(() => this.#send());
    globalThis.addEventListener?.("online", () => this.wakeUp(), { signal: this.#end.signal });
  }

  /** How many reports wait, those of other pages and those that are being sent included. */
  get waiting() {
    return this.#waiting.size;
  }

  /**
   * Keeps a report, and sends it once those before it have been taken.
   * @param {string} director The director's name.
   * @param {ReportedEvent} event What has happened. A place that is named (`section` and `element`) suits a report that may be
   *   sent late: the server has a version only for a while.
   * @param {import("./selection.js").Selection} [selection] What of the list is shown.
   * @returns {Promise<Outcome | undefined> & {kept: Promise<void>}} The outcome, undefined where another page has sent the report
   *   and has gone without a word; rejects where the server refuses the report, or the queue does not take it. `kept` resolves
   *   once the report is safe.
   */
  report(director, event, selection = {}) {
    let caller = /** @type {any} */ (undefined);
    const outcome = new Promise((resolve, reject) => caller = { resolve, reject });
    const kept = this.#keep(director, event, selection, caller);
    // A refusal is told to `onRefused` too, and need not be caught; nor need twice what `kept` tells.
    const told = () => void outcome.catch(() => {});
    kept.then(told, caller.reject);
    return /** @type {any} */ (Object.defineProperty(outcome, "kept", { get: () => (told(), kept) }));
  }

  /** Sends at once where the queue waits for its next attempt. */
  wakeUp() {
    this.#wake.abort();
  }

  /** Ends the sending; what waits stays where it is kept. */
  close() {
    this.#end.abort();
    this.#request.abort();
    this.#wake.abort();
    this.#channel?.close();
    for (const { reject } of this.#callers.values()) reject(failure("closed", "The queue of reports was closed"));
    this.#callers.clear();
    this.#do(() => this.#records.close());
  }

  /**
   * Does something when all before it is done.
   * @template Result
   * @param {() => Result | Promise<Result>} act
   * @returns {Promise<Result>}
   */
  #do(act) {
    const done = this.#turn.then(act);
    this.#turn = done.then(() => {}, () => {});
    return done;
  }

  /** @param {import("./storage.js").RecordStorage | undefined} storage */
  async #open(storage) {
    this.survives = await this.#records.open(storage, this.#name);
    if (this.survives && !this.#end.signal.aborted && typeof BroadcastChannel === "function") {
      this.#locks = globalThis.navigator?.locks;
      if (this.#locks) {
        this.#channel = new BroadcastChannel(this.#name);
        // What a page of another version says may be of a form that this one does not know.
        this.#channel.onmessage = ({ data }) => void this.#do(() => this.#hear(data)).catch(() => {});
      }
    }
    await this.#load();
  }

  async #load() {
    this.#waiting = await this.#records.load() ?? this.#waiting;
  }

  /**
   * @param {string} director
   * @param {ReportedEvent} event
   * @param {import("./selection.js").Selection} selection
   * @param {{resolve: (outcome: any) => void, reject: (error: Error) => void}} caller
   */
  async #keep(director, event, selection, caller) {
    const text = written(director, event, selection);
    await this.#do(async () => {
      if (this.#end.signal.aborted) throw failure("closed", "The queue of reports is closed");
      const { size } = this.#waiting;
      const length = [...this.#waiting.values()].reduce((sum, report) => sum + report.length, text.length);
      if (size >= this.#limit || length > this.#size) throw failure("full", `${size} reports wait for the server, and the queue takes no more`);
      const [record, report] = await this.#records.add(text);
      this.#waiting.set(record.id, report);
      this.#callers.set(record.id, caller);
      this.#tell({ added: record });
    });
    this.#send();
  }

  /** @param {object} message */
  #tell(message) {
    if (!this.#end.signal.aborted) this.#channel?.postMessage(message);
  }

  /**
   * Takes the word of another page.
   * @param {{added?: import("./storage.js").KeptRecord, settled?: [string, Outcome][]}} message
   */
  #hear({ added, settled }) {
    if (added) this.#waiting.set(added.id, this.#records.read(added));
    for (const [id, outcome] of settled ?? []) this.#finish(id, outcome);
    this.#send();
  }

  /** Sends what waits, once no other page does. */
  async #send() {
    if (this.#isSending || !this.#waiting.size || this.#end.signal.aborted) return;
    this.#isSending = true;
    const send = () => this.#sendAll();
    if (this.#locks) {
      // A page that may not use locks works alone.
      await this.#locks.request(this.#name, { signal: this.#end.signal }, send).catch(() => this.#locks = undefined);
    } else await send();
    this.#isSending = false;
    this.#send();
  }

  async #sendAll() {
    await this.#do(() => this.#load());
    this.#findLost();
    // A request carries a thousand reports at most, and fewer once one was too large.
    let failures = 0, most = 1000, key = identifier(), batch = this.#next(most);
    while (batch.length && !this.#end.signal.aborted) {
      /** @type {Outcome[]} */
      let outcomes;
      try {
        outcomes = await this.#post(batch, key);
      } catch (error) {
        const isLarge = error instanceof CallboardError && error.status === 413;
        const refusal = error instanceof CallboardError && (isLarge || !error.isTemporary && error.status !== 401) && error;
        if (isLarge && batch.length > 1) {
          // Each of them may be taken by itself, by the server and by whatever stands in front of it.
          most = batch.length >> 1;
          [key, batch] = [identifier(), this.#next(most)];
          continue;
        }
        if (!refusal) {
          // The next attempt is the same request, so that the server knows it.
          await this.#wait(failures++, error);
          continue;
        }
        const { type, title, status, detail, errors } = refusal;
        outcomes = batch.map(() => ({ problem: { type, title, status, detail, errors } }));
      }
      const settled = batch.map(({ id }, number) => /** @type {[string, Outcome]} */ ([id, outcomes[number]]));
      await this.#do(() => this.#settle(settled));
      [failures, key, batch] = [0, identifier(), this.#next(most)];
    }
  }

  /**
   * What one request carries: all that waits for one director and selection, up to the first for another one.
   * @param {number} most
   */
  #next(most) {
    const all = [...this.#waiting.values()].sort((a, b) => a.id < b.id ? -1 : 1), [first] = all;
    const end = all.findIndex(({ director, query }) => director !== first.director || query !== first.query);
    return all.slice(0, Math.min(end < 0 ? most : end, most));
  }

  /**
   * @param {Waiting[]} batch
   * @param {string} key
   * @returns {Promise<Outcome[]>}
   */
  async #post(batch, key) {
    const [{ director, query }] = batch, { signal } = this.#request = new AbortController();
    const { body } = await this.#callboard.director(director).call("POST", "/events", {
      query: new URLSearchParams(query), headers: { "Idempotency-Key": key }, signal,
      body: { events: batch.map(({ event, key }) => ({ ...event, key })) },
    });
    if (body?.outcomes?.length !== batch.length) throw failure("answer", `${batch.length} reports have other outcomes`);
    return body.outcomes;
  }

  /**
   * Waits before the next attempt, longer each time, up to a minute or what the server asks for.
   * @param {number} failures
   * @param {any} error
   */
  async #wait(failures, error) {
    if (this.#end.signal.aborted) return;
    this.#wake = new AbortController();
    await pause(Math.max(jittered(Math.min(1000 * 2 ** failures, 60000)), (error?.retryAfter ?? 0) * 1000), this.#wake.signal);
  }

  /**
   * Lets go of reports that the server has taken or refused.
   * @param {[string, Outcome][]} settled
   */
  async #settle(settled) {
    if (this.#end.signal.aborted) return;
    // A page that hears of it and is left by this one before the record is removed sends the report again, with its key.
    this.#tell({ settled });
    for (const [id, outcome] of settled) {
      const report = this.#waiting.get(id), problem = this.#finish(id, outcome);
      if (!report || !problem) continue;
      const { director, event, key } = report;
      try {
        this.#onRefused({ director, event, key }, problem);
      } catch (error) {
        // The others are sent all the same.
        setTimeout(() => { throw error; });
      }
    }
    await this.#records.remove(settled.map(([id]) => id));
  }

  /**
   * Tells who has reported what has become of it.
   * @param {string} id
   * @param {Outcome} outcome
   * @returns {CallboardError | undefined} Why the server has refused it.
   */
  #finish(id, outcome) {
    const caller = this.#callers.get(id), problem = outcome.problem && new CallboardError(outcome.problem);
    this.#waiting.delete(id);
    this.#callers.delete(id);
    if (problem) caller?.reject(problem);
    else caller?.resolve(outcome);
    return problem;
  }

  /** Another page may have sent what this one has reported: its word is waited for, but not for ever. */
  #findLost() {
    const lost = [...this.#callers].filter(([id]) => !this.#waiting.has(id));
    if (lost.length) setTimeout(() => {
      for (const [id, { resolve }] of lost) if (this.#callers.delete(id)) resolve(undefined);
    }, 1000);
  }
}
