/** @typedef {string | {token: string, expiresAt?: string | number | Date}} Token A token, and when it ends if not a JWT. */

/**
 * Keeps the token of a client, and asks for the next one before it ends, or when the server does not take it any more.
 */
export class TokenSource {
  #source;
  /** @type {{text: string, renewal: number} | undefined} */
  #held;
  /** @type {Promise<string> | undefined} */
  #call;

  /** @param {Token | (() => Token | Promise<Token>) | undefined} source */
  constructor(source) {
    this.#source = source;
  }

  /** Whether there may be another token than the one that was refused. */
  get canRenew() {
    return typeof this.#source === "function";
  }

  /** How long the token is good for before the next one is to be asked for, in milliseconds. */
  get remaining() {
    return this.#held ? Math.max(this.#held.renewal - Date.now(), 0) : Infinity;
  }

  /**
   * The token for a request; undefined where there is none.
   * @param {string} [refused] A token that the server does not take.
   * @returns {Promise<string | undefined>}
   */
  async get(refused) {
    const source = this.#source;
    if (!source) return undefined;
    if (typeof source !== "function") return textOf(source);
    if (this.#held && this.#held.text !== refused && this.remaining > 0) return this.#held.text;
    this.#call ??= Promise.resolve(source()).then(token => this.#hold(token)).finally(() => this.#call = undefined);
    return this.#call;
  }

  /**
   * @param {Token} token
   */
  #hold(token) {
    const text = textOf(token), expiresAt = typeof token === "object" && token.expiresAt;
    const end = expiresAt ? +new Date(expiresAt) : endOf(text);
    // The server ends streams up to a tenth of a token's time before its end. At least a second passes, so that a
    // function with a wrong clock is not called without pause.
    const margin = Math.min(60000, Math.max(end - Date.now(), 0) / 5);
    this.#held = { text, renewal: Math.max(end - margin, Date.now() + 1000) };
    return text;
  }
}

/** @param {Token} token */
const textOf = token => typeof token === "string" ? token : token.token;

/**
 * When a JWT ends, in milliseconds; Infinity for any other token.
 * @param {string} token
 */
function endOf(token) {
  try {
    const claims = JSON.parse(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")));
    return claims.exp > 0 ? claims.exp * 1000 : Infinity;
  } catch {
    return Infinity;
  }
}
