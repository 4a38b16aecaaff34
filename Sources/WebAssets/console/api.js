/**
 * Requests to the server.
 *
 *     const { status, body, headers } = await api.get("/v1/directors", { query: { limit: 10 } });
 *     await api.put("/v1/directors/a", { kind: "table" }, { headers: { "If-None-Match": "*" } });
 *
 * A path is whole (`/v1/…`, `/metrics`). What is not a success throws a `CallboardError`; JSON is read with its digits
 * kept (`json.js`), other bodies are text. `options` are `{query, headers, signal}`. The error has what the server asks for in
 * its `challenge`.
 */
import { CallboardError } from "/client.js";
import { parse, write } from "./json.js";

/** How long an answer may take, in milliseconds. */
const patience = 30000;

export class Api {
  /** @param {(error?: CallboardError) => void} onOutcome Hears of each outcome: an error, or nothing. */
  constructor(onOutcome) {
    this.onOutcome = onOutcome;
  }

  get(path, options) {
    return this.send({ method: "GET", path, ...options });
  }

  delete(path, options) {
    return this.send({ method: "DELETE", path, ...options });
  }

  post(path, body, options) {
    return this.send({ method: "POST", path, body, ...options });
  }

  put(path, body, options) {
    return this.send({ method: "PUT", path, body, ...options });
  }

  patch(path, body, options) {
    return this.send({ method: "PATCH", path, body, ...options });
  }

  /** Sends `{method, path, query, headers, body, signal}`. */
  async send(request) {
    try {
      const answer = await exchange(request);
      this.onOutcome();
      return answer;
    } catch (error) {
      if (!request.signal?.aborted) this.onOutcome(error);
      throw error;
    }
  }
}

async function exchange({ method, path, query, headers = {}, body, signal }) {
  const hasBody = body !== undefined;
  const limit = AbortSignal.timeout(patience);
  const response = await fetch(target(path, query), {
    method, cache: "no-store", credentials: "same-origin", redirect: "error",
    headers: {
      ...hasBody && { "Content-Type": "application/json" },
      ...method === "POST" && { "Idempotency-Key": [...crypto.getRandomValues(new Uint8Array(16))].join("-") }, ...headers,
    },
    body: hasBody ? write(body) : undefined,
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  }).catch(error => {
    throw signal?.aborted ? error : CallboardError.unreachable(error);
  });
  // 502 and 504 are of what stands before the server.
  if (!response.ok) {
    throw Object.assign(await CallboardError.of(response), { challenge: response.headers.get("WWW-Authenticate") ?? "" });
  }
  const content = await response.text().catch(error => {
    throw signal?.aborted ? error : CallboardError.unreachable(error);
  });
  const isJSON = /[/+]json\b/i.test(response.headers.get("Content-Type") ?? "");
  return { status: response.status, headers: response.headers, body: content && isJSON ? parse(content) : content };
}

/**
 * The tag of an answer, for `If-Match`. The server's tags are strong: what compresses its answers on the way may have weakened
 * one, or put its own name at the end.
 */
export const tagOf = headers => headers.get("ETag")?.replace(/^W\/|-(gzip|br|zstd|deflate)(?="$)/g, "");

/** The path with its query; members that are undefined are left out, arrays are repeated. */
function target(path, query = {}) {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const parameters = new URLSearchParams(entries.flatMap(([name, value]) => [value].flat().map(each => [name, each])));
  return entries.length ? `${path}?${parameters}` : path;
}

/** The `curl` that sends a request; a token is the variable `CALLBOARD_TOKEN`, where one is needed. */
export function curl({ method, path, query, headers = {}, body }, needsToken) {
  const quote = value => `'${`${value}`.replaceAll("'", "'\\''")}'`;
  const parts = ["curl", ...method === "GET" ? [] : ["-X", method], quote(location.origin + target(path, query))];
  if (needsToken) parts.push("-H", '"Authorization: Bearer $CALLBOARD_TOKEN"');
  for (const [name, value] of Object.entries(headers)) parts.push("-H", quote(`${name}: ${value}`));
  if (body !== undefined) parts.push("--json", quote(write(body)));
  return parts.join(" ");
}
