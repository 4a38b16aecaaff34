import { identifier } from "./director.js";
import { CallboardError, mediaType } from "./errors.js";
import { stringifyJSON } from "./numbers.js";
import { TokenSource } from "./tokens.js";

/**
 * @typedef {object} CallOptions
 * @property {Record<string, string | number | boolean | undefined> | URLSearchParams} [query] Members that are undefined are left out.
 * @property {unknown} [body] What is sent as JSON.
 * @property {Record<string, string | undefined>} [headers]
 * @property {AbortSignal} [signal]
 */

/** Sends requests with the token, renews it when it is refused, and tells what went wrong as a `CallboardError`. */
export class Transport {
  /**
   * @param {string} url The server's address.
   * @param {TokenSource} tokens
   * @param {typeof fetch} send
   * @param {RequestCredentials} credentials Whether cookies go to another origin.
   */
  constructor(url, tokens, send, credentials) {
    this.url = url.replace(/\/+$/, "");
    this.tokens = tokens;
    this.fetch = send;
    this.credentials = credentials;
  }

  /**
   * The answer of the server, which is a success.
   *
   * A request that cannot do anything twice is sent again where the network or the server fails for a moment.
   * @param {string} method
   * @param {string} path Begins behind `/v1`; its segments are escaped.
   * @param {CallOptions} [options]
   * @returns {Promise<Response>}
   */
  async call(method, path, options = {}) {
    if (method === "POST") options = { ...options, headers: { "Idempotency-Key": identifier(), ...options.headers } };
    const canRepeat = ["GET", "PUT", "POST"].includes(method);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.open(method, path, options);
      } catch (error) {
        // What is too large stays so, whoever says it.
        if (!(error instanceof CallboardError && error.isTemporary) || !canRepeat || attempt > 3 || options.signal?.aborted
          || error.status === 413) throw error;
        await pause((error.retryAfter ?? 0) * 1000 || jittered(300 * 2 ** attempt), options.signal);
      }
    }
  }

  /**
   * As `call`, but once; only a token that is refused is renewed.
   * @param {string} method
   * @param {string} path
   * @param {CallOptions} options
   */
  async open(method, path, { query = {}, body, headers = {}, signal } = {}) {
    const token = await this.tokens.get();
    const send = (/** @type {string | undefined} */ token) => {
      /** @type {Record<string, string>} */
      const fields = token ? { Authorization: `Bearer ${token}` } : {};
      if (body !== undefined) fields["Content-Type"] = "application/json";
      for (const [name, value] of Object.entries(headers)) if (value !== undefined) fields[name] = value;
      return this.fetch(this.address(path, query), {
        method, headers: fields, signal, credentials: this.credentials, cache: "no-store",
        body: body === undefined ? undefined : stringifyJSON(body),
      }).catch(error => {
        throw signal?.aborted ? error : CallboardError.unreachable(error);
      });
    };
    let response = await send(token);
    if (response.status === 401 && this.tokens.canRenew) {
      const next = await this.tokens.get(token);
      if (next !== token) response = await send(next);
    }
    if (!response.ok) throw await CallboardError.of(response);
    // Something else has answered in the server's place.
    if (/html/.test(mediaType(response))) throw CallboardError.unexpected(response, "JSON");
    return response;
  }

  /**
   * @param {string} path
   * @param {CallOptions["query"]} [query]
   */
  address(path, query = {}) {
    const parameters = query instanceof URLSearchParams ? query : new URLSearchParams(
      Object.entries(query).filter(([, value]) => value !== undefined).map(([name, value]) => [name, `${value}`]));
    return `${this.url}/v1/${path}${`${parameters}` && `?${parameters}`}`;
  }
}

/**
 * A random part of a time between half and all of it, so that clients that were cut off together do not come back so.
 * @param {number} milliseconds
 */
export function jittered(milliseconds) {
  return milliseconds * (0.5 + Math.random() / 2);
}

/**
 * Resolves after a time, or as soon as the signal is aborted.
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(milliseconds, signal) {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1));
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
