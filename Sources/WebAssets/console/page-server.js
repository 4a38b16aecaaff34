import { fill, h, link, number, text } from "./dom.js";
import { Chart, charts } from "./chart.js";
import { chartsShown, figuresShown, metricsRead, wrong } from "./figures.js";
import { Metrics, Moment } from "./metrics.js";
import { Nodes } from "./nodes.js";
import { missing, state } from "./parts.js";

const pause = 2000;
/** How far back charts go, and what is wrong is looked for, in minutes. */
const minutes = 60, lately = 10;
/** How far apart the server's readings are, and the points of the charts, in milliseconds. Quantiles span as much. */
const span = 10000;

/** What was seen of each node, or of the only server; it stays when the page is left, as long as the console is open. */
const histories = new Map();

/** What was seen of a node; at first, what the server has kept of it. */
async function historyOf(node, api, signal) {
  const known = histories.get(node);
  if (known && Date.now() - known.recent.at(-1).at < 3 * span) return known;
  const { body } = await api.get("/v1/metrics/history", { query: { node, metric: metricsRead }, signal }).catch(error => {
    // A node of an earlier version has none.
    if (error.status !== 404) throw error;
    return { body: { times: [], series: [] } };
  });
  const history = { points: chartsShown.map(() => []), recent: [], marks: [] };
  for (const metrics of Metrics.ofHistory(body, Date.now())) note(metrics, history);
  histories.set(node, history);
  return history;
}

/** How the server is doing. */
export function showServer(context) {
  const { main, api, session, signal } = context;
  if (!session.may("operate")) return void fill(main, missing(session, "operate", "see how the server is doing"));
  const made = chartsShown.map(chart => new Chart({ ...chart, minutes }));
  const plain = figures(), words = h("div", { class: "verdict", role: "status" });
  const nodes = new Nodes(() => refresh());
  fill(main, words, nodes.node, charts(...made), plain.node, h("p", { class: "note" },
    "The charts show the last hour, as the server has kept it since its start; the requests of this page are in them. All figures: ",
    h("a", { href: "/metrics" }, "/metrics"), ". ", h("code", null, `curl '${location.origin}/v1/metrics/history'`)));
  const refresh = context.live(async () => {
    nodes.update((await api.get("/v1/nodes", { signal })).body.nodes);
    const { chosen } = nodes, history = await historyOf(chosen, api, signal);
    const { body } = await api.get("/metrics", { query: { node: chosen }, signal });
    const metrics = note(new Metrics(body, Date.now()), history);
    // Another one may have been chosen meanwhile.
    if (chosen !== nodes.chosen) return;
    made.forEach((chart, n) => chart.show(history.points[n]));
    plain.update(metrics);
    say(words, wrong(metrics, history.marks[0]));
  }, pause);
}

/** Keeps an answer: as it is for some seconds, and what the charts show of it for minutes. */
function note(metrics, history) {
  const { recent, marks } = history;
  const last = recent.at(-1);
  // Rates over a time in which nobody asked would hide what happened when.
  const isNext = last && metrics.at - last.at < 3 * span;
  const moment = new Moment(metrics, isNext ? last : undefined, isNext ? recent[0] : undefined);
  recent.push(metrics);
  while (recent.length > 1 && metrics.at - recent[0].at > span) recent.shift();
  chartsShown.forEach(({ series }, n) => {
    const points = history.points[n];
    // The last point moves until the next one is due.
    if (points.length > 1 && metrics.at - points.at(-2).at < span) points.pop();
    points.push({ at: metrics.at, values: series.map(({ of }) => of(moment)) });
    while (points[0].at < metrics.at - minutes * 60000) points.shift();
  });
  // One answer a minute, to say what has grown; a server that was started again begins anew.
  if (marks.length && (metrics.total("callboard_received_bytes_total") ?? 0) < (marks.at(-1).total("callboard_received_bytes_total") ?? 0)) marks.length = 0;
  if (!marks.length || metrics.at - marks.at(-1).at > 60000) marks.push(metrics);
  while (marks[0].at < metrics.at - lately * 60000) marks.shift();
  return metrics;
}

function say(node, found) {
  const key = found.map(({ says }) => says).join("\n") || "well";
  if (node.dataset.said === key) return;
  node.dataset.said = key;
  fill(node, found.length === 0 && h("p", null, state("good", "Nothing is wrong that the metrics tell of.")),
    found.map(({ says, metric, address }) => h("p", null, state("bad", says), " ", address && [link(address, "Show them"), " "],
      h("code", { class: "metric" }, metric))));
}

function figures() {
  const cells = [];
  const groups = figuresShown.map(([title, list]) => {
    const group = h("section", null, h("h2", null, title), h("dl", null, list.map(([name, metric, format = number, matches]) => {
      const node = h("dd", { class: "number" });
      cells.push(metrics => text(node, format(metrics.total(metric, matches))));
      const term = h("dt", null, name, " ", h("code", { class: "metric" }, metric));
      return h("div", { tabindex: "0", onpointerenter: event => explain(event.currentTarget, metric) }, term, node);
    })));
    // Those of nodes, where there are none.
    cells.push(metrics => group.hidden = !list.some(([, metric]) => metrics.has(metric)));
    return group;
  });
  let known;
  function explain(node, metric) {
    if (known) node.title = `${metric}: ${known.help(metric)}`;
  }
  return {
    node: h("div", { class: "figures" }, groups),
    update(metrics) {
      known = metrics;
      for (const cell of cells) cell(metrics);
    },
  };
}
