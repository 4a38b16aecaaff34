/** The problem's type where no answer came: the network, or what stands between. */
const unreachable = "urn:callboard:client:unreachable";

/** What the type of every problem of a Callboard server begins with. */
export const own = "urn:callboard:problem:";

/**
 * The media type of an answer, without parameters.
 * @param {Response} response
 */
export function mediaType(response) {
  return (response.headers.get("Content-Type") ?? "").split(/[;,]/)[0].trim().toLowerCase();
}

/**
 * What went wrong, with the members of the server's problem (RFC 9457).
 *
 * `status` is 0 where no answer came, and `cause` then says why.
 */
export class CallboardError extends Error {
  /**
   * After how many seconds the server wants to be asked again.
   * @type {number | undefined}
   */
  retryAfter;

  /**
   * @param {{type?: string, title?: string, status?: number, detail?: string, instance?: string,
   *   errors?: {pointer: string, detail: string}[]}} problem
   * @param {{cause?: unknown, retryAfter?: number}} [more]
   */
  constructor(problem, more = {}) {
    super(problem.detail ?? problem.title ?? `The server answered ${problem.status}`);
    this.name = "CallboardError";
    this.type = problem.type ?? "about:blank";
    this.title = problem.title;
    this.status = problem.status ?? 0;
    this.detail = problem.detail;
    this.instance = problem.instance;
    this.errors = problem.errors ?? [];
    Object.assign(this, more);
  }

  /**
   * Whether the same request may succeed a little later: unless a Callboard server itself has refused it, and not for the
   * moment only, or while it carries out the same request. Whatever else answers in its place passes: a proxy, a router's own 404, a portal.
   */
  get isTemporary() {
    const mayPass = this.status >= 500 ? ![501, 505].includes(this.status) : [408, 425, 429].includes(this.status);
    return mayPass || !`${this.type}`.startsWith(own) || this.type.endsWith("in-progress");
  }

  /**
   * The error of an answer that is not a success.
   * @param {Response} response
   */
  static async of(response) {
    // What stands between may answer anything.
    const problem = mediaType(response) === "application/problem+json" ? await response.json().catch(() => ({})) : {};
    const retryAfter = Math.min(Number(response.headers.get("Retry-After")) || 0, 3600);
    return new CallboardError({ ...problem, status: response.status }, { retryAfter });
  }

  /**
   * The error of an answer that is none of a Callboard server.
   * @param {Response} response
   * @param {string} wanted
   */
  static unexpected(response, wanted) {
    return new CallboardError({ status: response.status, detail: `Expected ${wanted} but got "${mediaType(response)}"` });
  }

  /**
   * The error of a request that got no answer.
   * @param {unknown} cause
   */
  static unreachable(cause) {
    return new CallboardError({ type: unreachable, detail: `No answer: ${cause}` }, { cause });
  }
}

/** Why a copy of a list and what the server sent do not fit together. */
export class Mismatch extends Error {}

/**
 * @param {unknown} condition
 * @param {string} reason
 * @returns {asserts condition}
 */
export function require(condition, reason) {
  if (!condition) throw new Mismatch(reason);
}
