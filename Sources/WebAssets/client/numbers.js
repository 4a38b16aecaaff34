import { identifier } from "./director.js";

/**
 * A number that JavaScript's own would change, such as `653247040368672768`, `10.00` or `1E400`: its text is what came.
 *
 * It counts as the nearest double, `String(it)` is its text, and written as JSON it is as it was.
 */
export class CallboardNumber extends Number {
  #text;

  /** @param {string} text As JSON has it. */
  constructor(text) {
    super(text);
    this.#text = text;
  }

  toString() {
    return this.#text;
  }

  /** As the browser's own `JSON.stringify` wants it, where it can write a number by its digits. */
  toJSON() {
    const { rawJSON } = /** @type {any} */ (JSON);
    return rawJSON ? rawJSON(this.#text) : +this;
  }
}

/** Where a number may stand that a double changes: many digits, a last zero behind the point, an exponent, a negative zero. */
const suspicious = /(?<=^|[[:,\s])(-?([\d.]{16}|\d+\.\d*0(?!\d)|\d[\d.]*[eE]|0\.0{6})|-0(?![.\d]))/;
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/**
 * Reads JSON; a number that a double would change becomes a `CallboardNumber`, any other is a number.
 * @param {string} text
 * @returns {any}
 */
export function parseJSON(text) {
  if (!suspicious.test(text)) return JSON.parse(text);
  // Nobody can have written a text that begins with it.
  const mark = identifier();
  return JSON.parse(
    text.replace(tokens, token => token[0] === '"' || `${+token}` === token || !isNumber(token) ? token : `"${mark}${token}"`),
    (_, value) => typeof value === "string" && value.startsWith(mark) ? new CallboardNumber(value.slice(mark.length)) : value);
}

/**
 * What is no number in JSON is left to be refused.
 * @param {string} token
 */
const isNumber = token => /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(token);

/**
 * Writes JSON, a `CallboardNumber` by its text.
 * @param {any} value
 * @param {number} [space]
 * @returns {string}
 */
export function stringifyJSON(value, space) {
  const mark = identifier();
  return JSON.stringify(value, function (key, written) {
    return this[key] instanceof CallboardNumber ? `${mark}${this[key]}` : written;
  }, space)?.replace(new RegExp(`"${mark}([^"]*)"`, "g"), "$1");
}
