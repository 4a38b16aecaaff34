import { CallboardError, mediaType } from "./errors.js";
import { EventParser } from "./parser.js";

/**
 * @typedef {object} Opening How a stream is asked for, and who hears of it.
 * @property {import("./transport.js").Transport} transport
 * @property {string} path
 * @property {URLSearchParams} query
 * @property {string[]} directors
 * @property {string} position The id after which it goes on; empty for a snapshot.
 * @property {AbortSignal} signal Ends it.
 * @property {(events: import("./types.js").StreamEvent[], retry?: number) => void} onEvents Called with none, too, where
 *   something has come that says no more than that the connection works.
 */

/**
 * One connection by `fetch`: the token goes into a header, and a refusal can be read. Returns when the server closes it.
 * @param {Opening} opening
 */
export async function readWithFetch({ transport, path, query, position, signal, onEvents }) {
  const headers = { Accept: "text/event-stream", "Last-Event-ID": position || undefined };
  const response = await transport.open("GET", path, { query, headers, signal });
  if (response.status !== 200 || mediaType(response) !== "text/event-stream" || !response.body) {
    response.body?.cancel();
    throw CallboardError.unexpected(response, "an event stream");
  }
  onEvents([]);
  const parser = new EventParser(), reader = response.body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      onEvents(parser.push(value), parser.retry);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** The events that an `EventSource` listens to. */
const names = ["snapshot", "resumed", "changeset", "heartbeat", "refresh", "scroll", "definition", "end"];

/**
 * One connection by `EventSource`, with the session's cookie, or with a ticket where there is a token.
 *
 * The browser's own reconnecting is not used: a ticket is spent by then, and the list knows best where to go on.
 * @param {Opening} opening
 */
export async function readWithEventSource({ transport, path, query, directors, position, signal, onEvents }) {
  if (await transport.tokens.get()) {
    const answer = await transport.open("POST", "stream-tickets", { body: { directors }, signal });
    query.set("ticket", (await answer.json()).ticket);
  }
  if (position) query.set("lastEventId", position);
  const source = new EventSource(transport.address(path, query), { withCredentials: transport.credentials === "include" });
  source.onopen = () => onEvents([]);
  for (const name of names) {
    source.addEventListener(name, event => onEvents([{ event: name, data: /** @type {MessageEvent} */ (event).data }]));
  }
  await new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    source.onerror = resolve;
  }).finally(() => source.close());
}
