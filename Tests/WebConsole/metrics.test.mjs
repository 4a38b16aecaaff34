/** What the page of the server makes of `/metrics`, without a browser: `node --test Tests/WebConsole/metrics.test.mjs`. */
import assert from "node:assert/strict";
import test from "node:test";
import { chartsShown, wrong } from "../../Sources/WebAssets/console/figures.js";
import { Metrics, Moment, growth, quantile } from "../../Sources/WebAssets/console/metrics.js";

test("samples are read with their labels, braces, quotes and escapes", () => {
  const metrics = new Metrics([
    "# HELP a_total Things, by \"where\".", "# TYPE a_total counter", "a_total{route=\"/v1/{d}\",status=\"200\"} 3",
    "a_total{route=\"a \\\"b\\\" } 9\\\\\\n\",status=\"500\"} 4", "b 1.5e3", "c +Inf", "",
  ].join("\n"), 0);
  assert.equal(metrics.help("a_total"), "Things, by \"where\".");
  assert.deepEqual(metrics.samples("a_total").map(({ labels }) => labels.route), ["/v1/{d}", "a \"b\" } 9\\\n"]);
  assert.equal(metrics.total("a_total"), 7);
  assert.equal(metrics.total("a_total", ({ status }) => status === "500"), 4);
  assert.equal(metrics.total("b"), 1500);
  assert.equal(metrics.total("c"), Infinity);
  assert.equal(metrics.total("d"), undefined);
});

test("a history gives readings with the times of this machine, and metrics without samples are there", () => {
  const history = Metrics.ofHistory({ times: ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:10.000Z"], series: [
    { metric: "a_total", labels: { status: "200" }, values: [null, 3] }, { metric: "a_total", labels: { status: "404" }, values: [1, 2] },
    { metric: "t_bucket", labels: { le: "0.5" }, values: [1, 1] }, { metric: "t_bucket", labels: { le: "+Inf" }, values: [2, 4] },
  ] }, 50000);
  assert.deepEqual(history.map(({ at }) => at), [40000, 50000]);
  assert.deepEqual(history.map(each => each.total("a_total")), [1, 5]);
  assert.equal(history[0].total("a_total", ({ status }) => status === "200"), undefined);
  assert.deepEqual(history[1].buckets("t"), [[0.5, 1], [Infinity, 4]]);
  const moment = new Moment(history[1], history[0], history[0]);
  assert.equal(moment.rate("a_total"), 0.4);
  assert.deepEqual(Metrics.ofHistory({ times: [], series: [] }, 0), []);
});

test("a counter that begins anew has grown from nothing", () => {
  assert.equal(growth(12, 10), 2);
  assert.equal(growth(3, 10), 3);
  assert.equal(growth(3, undefined), 3);
});

test("quantiles lie within their buckets, also after a restart and beyond the last bound", () => {
  const bounds = counts => [0.1, 1, 10, Infinity].map((bound, n) => [bound, counts[n]]);
  assert.equal(quantile(0.5, bounds([0, 10, 10, 10])), 0.55);
  assert.equal(quantile(0.5, bounds([5, 15, 15, 15]), bounds([5, 5, 5, 5])), 0.55);
  assert.equal(quantile(0.5, bounds([0, 10, 10, 10]), bounds([50, 50, 50, 50])), 0.55);
  assert.equal(quantile(0.99, bounds([0, 0, 0, 4])), 10);
  assert.equal(quantile(0.5, bounds([7, 7, 7, 7]), bounds([7, 7, 7, 7])), undefined);
});

test("a rate is what has grown in the time between two answers", () => {
  const [before, now] = [10, 16].map((count, n) => new Metrics(`callboard_mutations_total ${count}`, n * 2000));
  assert.equal(new Moment(now, before, before).rate("callboard_mutations_total"), 3);
  assert.equal(new Moment(now, undefined, undefined).rate("callboard_mutations_total"), undefined);
  assert.equal(new Moment(now, before, before).rate("callboard_missing_total"), undefined);
  const changes = chartsShown.find(({ title }) => title === "Changes a second");
  assert.equal(changes.series[0].of(new Moment(now, before, before)), 3);
});

test("what is wrong is said in words, and nothing where nothing is", () => {
  const well = new Metrics("callboard_journal_up 1\ncallboard_deliveries_dead 0\ncallboard_connections_refused_total 5", 0);
  assert.deepEqual(wrong(well, well), []);
  const ill = new Metrics([
    "callboard_journal_up 0", "callboard_deliveries_dead 1", "callboard_connections_refused_total 7",
    "callboard_tls_certificate_days_left{certificate=\"a.pem\"} 3.4", "callboard_tls_certificate_days_left{certificate=\"b.pem\"} -1",
    "callboard_http_requests_total{status=\"500\"} 2", "callboard_tls_certificate_days_left{certificate=\"c.pem\"} 80",
  ].join("\n"), 1);
  const said = wrong(ill, well).map(({ says }) => says).join("\n");
  for (const part of ["Changes cannot be stored", "2 connections were refused", "1 notification was given up and waits",
    "a.pem ends in 3 days", "b.pem has ended", "2 requests were answered 5xx"]) assert.match(said, new RegExp(part));
  assert.doesNotMatch(said, /c\.pem/);
});
