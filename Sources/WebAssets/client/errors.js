/** The problem's type where no answer came: the network, or what stands between. */
const unreachable = "urn:callboard:client:unreachable";

/**
 * What went wrong, with the members of the server's problem (RFC 9457).
 *
 * `status` is 0 where no answer came, and `cause` then says why.
 */
export class CallboardError extends Error {
  /**
   * @param {{type?: string, title?: string, status?: number, detail?: string, instance?: string,
   *   errors?: {pointer: string, detail: string}[]}} problem
   * @param {{cause?: unknown, retryAfter?: number}} [more] `retryAfter` is in seconds.
   */
  constructor(problem, more = {}) {
    super(problem.detail ?? problem.title ?? `The server answered ${problem.status}`);
    this.name = "CallboardError";
    this.type = problem.type ?? "about:blank";
    this.title = problem.title ?? "";
    this.status = problem.status ?? 0;
    this.detail = problem.detail ?? "";
    this.instance = problem.instance;
    this.errors = problem.errors ?? [];
    this.cause = more.cause;
    this.retryAfter = more.retryAfter;
  }

  /** Whether the same request may succeed a little later. */
  get isTemporary() {
    return [0, 408, 425, 429, 500, 502, 503, 504].includes(this.status);
  }

  /**
   * The error of an answer that is not a success.
   * @param {Response} response
   */
  static async of(response) {
    const text = await response.text().catch(() => "");
    const seconds = parseInt(response.headers.get("Retry-After") ?? "", 10);
    const more = { retryAfter: seconds >= 0 ? Math.min(seconds, 3600) : undefined };
    let problem = { title: response.statusText || undefined, detail: text.slice(0, 200) || undefined };
    if (/json/.test(response.headers.get("Content-Type") ?? "")) {
      try {
        problem = JSON.parse(text);
      } catch {
        // The text itself is shown then.
      }
    }
    return new CallboardError({ ...problem, status: response.status }, more);
  }

  /**
   * The error of a request that got no answer.
   * @param {unknown} cause
   */
  static unreachable(cause) {
    return new CallboardError({ type: unreachable, title: "No answer", detail: `No answer: ${cause}` }, { cause });
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
