/** What the page of the server shows of `/metrics`: charts, plain figures, and what is wrong in words. */
import { bytes, count, number, span } from "./dom.js";

const rate = (name, matches) => moment => moment.rate(name, matches);
const value = (name, matches) => moment => moment.value(name, matches);
const quantile = (share, name, matches) => moment => moment.quantile(share, name, matches);
const status = pattern => ({ status }) => pattern.test(status);
const some = worth => worth < 10 ? Number(worth.toFixed(1)).toString() : number(Math.round(worth));

const requests = "callboard_http_requests_total", durations = "callboard_http_request_duration_seconds";
const calls = "callboard_hook_call_duration_seconds", deliveries = "callboard_deliveries_total";
const commits = "callboard_journal_commit_seconds";

/** Series are `{name, kind, metric, of(moment)}`. */
export const chartsShown = [
  { title: "Requests a second", format: some, series: [
    { name: "good", kind: "main", metric: requests, of: rate(requests, status(/^[123]/)) },
    { name: "4xx", kind: "second", metric: requests, of: rate(requests, status(/^4/)) },
    { name: "5xx", kind: "bad", metric: requests, of: rate(requests, status(/^5/)) },
  ] },
  { title: "Time to answer", format: span, series: [
    { name: "half within", kind: "main", metric: durations, of: quantile(0.5, durations) },
    { name: "99 % within", kind: "second", metric: durations, of: quantile(0.99, durations) },
  ] },
  { title: "Changes a second", format: some, series: [
    { name: "mutations", kind: "second", metric: "callboard_mutations_total", of: rate("callboard_mutations_total") },
    { name: "versions", kind: "main", metric: "callboard_versions_published_total", of: rate("callboard_versions_published_total") },
  ] },
  { title: "Fan-out, bytes a second", format: bytes, series: [
    { name: "sent", kind: "main", metric: "callboard_sent_bytes_total", of: rate("callboard_sent_bytes_total") },
    { name: "changesets, encoded once", kind: "second", metric: "callboard_changeset_bytes_total", of: rate("callboard_changeset_bytes_total") },
  ] },
  { title: "Connections", format: some, series: [
    { name: "open", kind: "second", metric: "callboard_connections", of: value("callboard_connections") },
    { name: "streams", kind: "main", metric: "callboard_subscribers", of: value("callboard_subscribers") },
  ] },
  { title: "Deliveries", format: some, series: [
    { name: "waiting", kind: "main", metric: "callboard_deliveries_pending", of: value("callboard_deliveries_pending") },
    { name: "given up", kind: "bad", metric: "callboard_deliveries_dead", of: value("callboard_deliveries_dead") },
  ] },
  { title: "Calls of hooks", format: span, series: [
    { name: "half within", kind: "main", metric: calls, of: quantile(0.5, calls) },
    { name: "99 % within", kind: "second", metric: calls, of: quantile(0.99, calls) },
  ] },
  { title: "Journal", format: span, series: [
    { name: "half of commits within", kind: "main", metric: commits, of: quantile(0.5, commits) },
    { name: "99 % within", kind: "second", metric: commits, of: quantile(0.99, commits) },
  ] },
  { title: "Memory", format: bytes, series: [
    { name: "resident", kind: "main", metric: "process_resident_memory_bytes", of: value("process_resident_memory_bytes") },
    { name: "buffered for clients", kind: "second", metric: "callboard_buffered_bytes", of: value("callboard_buffered_bytes") },
  ] },
];

/** Groups of `[title, metric, format, matches?]`. */
export const figuresShown = [
  ["Lists", [
    ["Lists", "callboard_directors"], ["Streams", "callboard_subscribers"], ["Versions retained", "callboard_feed_retained_versions"],
    ["Retained", "callboard_feed_retained_bytes", bytes], ["Versions published", "callboard_versions_published_total"],
    ["Streams that fell behind", "callboard_stream_catchups_total"],
  ]],
  ["Requests", [
    ["Answered", requests], ["Refused: no HTTP, too slow or too large", "callboard_requests_refused_total"],
    ["Received", "callboard_received_bytes_total", bytes], ["Sent", "callboard_sent_bytes_total", bytes],
    ["Connections", "callboard_connections"], ["Connections refused", "callboard_connections_refused_total"],
    ["TLS handshakes", "callboard_tls_handshakes_total"],
  ]],
  ["Hooks", [
    ["Delivered", deliveries, number, ({ event }) => event === "delivered"],
    ["Attempts that failed", deliveries, number, ({ event }) => event === "failed"],
    ["Waiting", "callboard_deliveries_pending"], ["Given up", "callboard_deliveries_dead"],
    ["Questions answered with a default", "callboard_event_answers_total", number, ({ source }) => source === "default"],
    ["Calls in the queue", "callboard_hook_requests_waiting"],
  ]],
  ["Journal", [
    ["Size", "callboard_journal_size_bytes", bytes], ["Commits", "callboard_journal_commits_total"],
    ["Records", "callboard_journal_records_total"], ["Waiting", "callboard_journal_waiting"],
    ["Failures", "callboard_journal_failures_total"], ["Snapshots", "callboard_journal_snapshots_total"],
  ]],
  ["Node", [
    ["Nodes that take part", "callboard_cluster_nodes"], ["Lists owned", "callboard_cluster_directors_owned"],
    ["Records not performed yet", "callboard_cluster_lag_records"], ["Since the last look", "callboard_cluster_lag_seconds", span],
    ["Lease lasts for", "callboard_cluster_lease_seconds", span], ["Requests passed on", "callboard_cluster_forwarded_total"],
    ["Lists taken over", "callboard_cluster_takeovers_total"], ["Lists handed over", "callboard_cluster_handovers_total"],
  ]],
];

/** What grows while something is wrong: said while it has grown within the minutes shown. */
const growing = [
  ["callboard_journal_failures_total", "change could not be stored", "changes could not be stored"],
  ["callboard_buffer_refusals_total", "request or stream was refused for want of buffer space (server.maxBufferedBytes)",
    "requests or streams were refused for want of buffer space (server.maxBufferedBytes)"],
  ["callboard_connections_refused_total", "connection was refused: there are too many (server.maxConnections)",
    "connections were refused: there are too many (server.maxConnections)"],
  ["callboard_accept_pauses_total", "time the machine had no descriptor left for a connection",
    "times the machine had no descriptor left for a connection"],
  ["callboard_cluster_takeovers_total", "list was taken over from a node that was gone",
    "lists were taken over from nodes that were gone"],
  ["callboard_cluster_forward_failures_total", "request that was passed on to another node got no answer",
    "requests that were passed on to other nodes got no answer"],
  ["callboard_audit_lost_total", "line of the audit could not be written", "lines of the audit could not be written"],
];

/** The metrics that charts and words are made of. */
export const metricsRead = [...new Set([
  ...chartsShown.flatMap(({ series }) => series.map(({ metric }) => metric)), ...growing.map(([metric]) => metric),
  "callboard_received_bytes_total",
])];

/** What is wrong, in words: `{says, metric, address?}`. `first` is the oldest answer that is still known. */
export function wrong(metrics, first) {
  const found = [], say = (metric, says, address) => found.push({ metric, says, address });
  const now = name => metrics.total(name) ?? 0;
  if (metrics.total("callboard_journal_up") === 0) {
    say("callboard_journal_up", "Changes cannot be stored: they are refused until the journal works again.");
  }
  if (metrics.total("callboard_cluster_lease_seconds") === 0) {
    say("callboard_cluster_lease_seconds", "The node is away from the database for longer than its lease lasts: it answers no reads, and others take over its lists.");
  }
  for (const [metric, one, many] of growing) {
    const more = now(metric) - (first.total(metric) ?? 0);
    if (more > 0) say(metric, `${count(more, one, many)} in the last minutes.`);
  }
  const failed = metrics.total(requests, status(/^5/)) ?? 0, before = first.total(requests, status(/^5/)) ?? 0;
  if (failed > before) say(requests, `${count(failed - before, "request was", "requests were")} answered 5xx in the last minutes.`);
  const dead = now("callboard_deliveries_dead"), pending = now("callboard_deliveries_pending");
  if (dead) say("callboard_deliveries_dead", `${count(dead, "notification was", "notifications were")} given up and ${dead === 1 ? "waits" : "wait"} to be retried or discarded.`, "/deliveries?status=dead");
  if (pending > 1000) say("callboard_deliveries_pending", `${number(pending)} notifications wait to be delivered.`, "/deliveries?status=pending");
  for (const { labels, value: days } of metrics.samples("callboard_tls_certificate_days_left")) {
    if (days >= 14) continue;
    const name = Object.values(labels).join(" ") || "of the server";
    say("callboard_tls_certificate_days_left", days < 0 ? `The certificate ${name} has ended.` : `The certificate ${name} ends in ${count(Math.floor(days), "day")}.`);
  }
  return found;
}
