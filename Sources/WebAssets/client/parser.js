import { CallboardError } from "./errors.js";

/**
 * Reads an event stream piece by piece, wherever the pieces are cut (WHATWG HTML, section 9.2.6).
 *
 * Each byte is looked at once, however long a line is. The last event id is not kept: a list's own epoch and version
 * say where it is to go on.
 */
export class EventParser {
  /**
   * The pause before the next connection that the stream asks for, in milliseconds.
   * @type {number | undefined}
   */
  retry;

  #decoder = new TextDecoder();
  /**
   * The parts of the line that is not finished yet.
   * @type {string[]}
   */
  #parts = [];
  #size = 0;
  #skipsLineFeed = false;
  #name = "";
  /** @type {string[]} */
  #data = [];

  /** @param {number} [limit] The longest line and the most data of one event, in UTF-16 code units. */
  constructor(limit = 1 << 28) {
    this.limit = limit;
  }

  /**
   * Takes the next bytes, and returns the events that they complete.
   * @param {Uint8Array} bytes
   * @returns {import("./types.js").StreamEvent[]}
   */
  push(bytes) {
    /** @type {import("./types.js").StreamEvent[]} */
    const events = [];
    const text = this.#decoder.decode(bytes, { stream: true });
    let start = 0;
    if (text && this.#skipsLineFeed) {
      this.#skipsLineFeed = false;
      if (text[0] === "\n") start = 1;
    }
    const ends = /\r\n?|\n/g;
    ends.lastIndex = start;
    for (let end; (end = ends.exec(text)); start = ends.lastIndex) {
      this.#keep(text.slice(start, end.index));
      this.#finishLine(events);
      this.#skipsLineFeed = end[0] === "\r" && ends.lastIndex === text.length;
    }
    if (start < text.length) this.#keep(text.slice(start));
    return events;
  }

  /** @param {string} part */
  #keep(part) {
    this.#size += part.length;
    if (this.#size > this.limit) throw new CallboardError({ status: 0, detail: `An event is over ${this.limit} long` });
    this.#parts.push(part);
  }

  /** @param {import("./types.js").StreamEvent[]} events */
  #finishLine(events) {
    const line = this.#parts.join("");
    this.#parts = [];
    if (!line) {
      if (this.#data.length) events.push({ event: this.#name || "message", data: this.#data.join("\n") });
      this.#name = "";
      this.#data = [];
      this.#size = 0;
      return;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? "" : line.slice(colon + 1);
    if (value[0] === " ") value = value.slice(1);
    if (field === "data") this.#data.push(value);
    else this.#size -= line.length;
    if (field === "event") this.#name = value;
    if (field === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
  }
}
