import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { client } from "./support/load.mjs";
import { FakeServer, addition, snapshot, until } from "./support/fake.mjs";

let server, board, list, stream;
const ids = sections => sections.flatMap(section => section.elements.map(element => element.id)).join("");
const turn = () => new Promise(resolve => setTimeout(resolve, 5));

beforeEach(async () => {
  server = new FakeServer();
  board = new client.Callboard({ url: "http://lists.test/", fetch: server.fetch, share: false });
  list = board.follow("a");
  stream = await server.stream();
  stream.send("snapshot", snapshot("a", 1));
  await list.ready;
});
afterEach(() => board.close());

test("a store calls at once and after each change, and gives the same object in between", async () => {
  const states = [];
  const end = list.subscribe(state => states.push(state));
  assert.equal(states[0], list.getSnapshot());
  stream.send("changeset", addition("a", 1, 2));
  await until(() => list.version === 2);
  assert.equal(states.length, 2);
  assert.equal(states[1], list.getSnapshot());
  assert.notEqual(states[0], states[1]);
  assert.deepEqual([states[0].version, ids(states[0].sections), states[1].version, ids(states[1].sections)],
    [1, "ab", 2, "abn1"]);
  stream.send("heartbeat", { versions: { a: 2 } });
  await turn();
  assert.equal(list.getSnapshot(), states[1]);
  end();
  stream.send("changeset", addition("a", 2, 3));
  await until(() => list.version === 3);
  assert.equal(states.length, 2);
});

test("a listener that throws keeps neither the others nor the stream from going on", async () => {
  const rethrown = [], versions = [], later = setTimeout;
  mock.method(globalThis, "setTimeout", (act, after) => after === undefined ? rethrown.push(act) : later(act, after));
  list.subscribe(({ version }) => { if (version > 1) throw new Error("a listener's own"); });
  list.subscribe(({ version }) => versions.push(version));
  stream.send("changeset", addition("a", 1, 2));
  await until(() => versions.includes(2));
  assert.throws(rethrown[0], { message: "a listener's own" });
  stream.send("changeset", addition("a", 2, 3));
  await until(() => versions.includes(3));
  assert.deepEqual([list.status, server.requests.length, rethrown.length], ["live", 1, 2]);
  mock.restoreAll();
});

test("a list says where it may be behind", async () => {
  const seen = [list.isStale];
  list.addEventListener("status", () => seen.push(list.status, list.isStale));
  stream.retry(5);
  stream.breakOff();
  stream = await server.stream();
  stream.send("resumed", { director: "a", from: 1, version: 1 });
  await until(() => list.status === "live");
  assert.deepEqual(seen, [false, "waiting", true, "connecting", true, "live", false]);
});

test("each event says what has happened", async () => {
  const seen = [];
  for (const type of ["snapshot", "change", "refresh", "definition", "end"]) list.addEventListener(type, event => seen.push(event));
  stream.send("changeset", addition("a", 1, 2));
  stream.send("refresh", { director: "a", version: 2, elements: [{ at: [0, 0] }] });
  stream.send("definition", { director: "a", kind: "flow", adapters: [] });
  stream.send("snapshot", snapshot("a", 9, ["z"], { reset: "the version is gone" }));
  stream.send("end", { director: "a", reason: "deleted" });
  await until(() => list.status === "over");
  await turn();
  const [change, refresh, definition, whole, end] = seen;
  assert.deepEqual(seen.map(event => event.type), ["change", "refresh", "definition", "snapshot", "end"]);
  assert.deepEqual([change.changeset.version, refresh.elements, whole.reset, end.reason],
    [2, [{ at: [0, 0] }], "the version is gone", "deleted"]);
  assert.equal(definition.list, list);
  assert.equal(list.getSnapshot().status, "over");
});

const without = id => sections =>
  sections.map(section => ({ ...section, elements: section.elements.filter(element => element.id !== id) }));

function outcome() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

test("what is shown ahead goes with the version that carries it, and not before", async () => {
  const { promise, resolve } = outcome();
  let shown = 0;
  list.addEventListener("shown", () => shown++);
  assert.equal(list.optimistically(without("a"), promise), promise);
  assert.deepEqual([ids(list.shown), ids(list.sections), ids(list.getSnapshot().sections), shown], ["b", "ab", "b", 1]);
  assert.equal(list.shown, list.shown);
  stream.send("changeset", addition("a", 1, 2));
  await until(() => list.version === 2);
  assert.equal(ids(list.shown), "bn1");
  resolve({ version: 4 });
  await turn();
  stream.send("changeset", addition("a", 2, 3));
  await until(() => list.version === 3);
  assert.equal(ids(list.shown), "bn1n2", "another change has come first");
  stream.send("changeset", { ...addition("a", 3, 4), stages: [{ elementDeleted: [[0, 0]] }], counts: { sections: 1, elements: 3 } });
  await until(() => list.version === 4);
  assert.equal(list.shown, list.sections);
  assert.equal(ids(list.shown), "bn1n2");
});

test("what is shown ahead goes where the stream was faster than the answer", async () => {
  const { promise, resolve } = outcome();
  list.optimistically(without("a"), promise);
  stream.send("changeset", addition("a", 1, 2));
  await until(() => list.version === 2);
  resolve({ version: 2 });
  await turn();
  assert.equal(list.shown, list.sections);
});

test("what is shown ahead goes with the changeset that names its cause, before there is an answer", async () => {
  const { promise } = outcome();
  list.optimistically(without("a"), Object.assign(promise, { cause: "c7" }));
  stream.send("changeset", addition("a", 1, 2, "x", { causes: ["c6"] }));
  await until(() => list.version === 2);
  assert.equal(ids(list.shown), "bx");
  stream.send("changeset", addition("a", 2, 3, "y", { causes: ["c6", "c7"] }));
  await until(() => list.version === 3);
  assert.equal(list.shown, list.sections);
});

test("what is shown ahead goes with its refusal", async () => {
  const one = outcome(), two = outcome();
  list.optimistically(without("a"), one.promise).catch(() => {});
  list.optimistically(without("b"), two.promise);
  assert.equal(ids(list.shown), "");
  one.reject(new Error("412"));
  await turn();
  assert.equal(ids(list.shown), "a");
});

test("events are reported and asked with the version that is shown", async () => {
  const report = list.report("didSelect", [0, 1], { animated: true });
  assert.deepEqual((await server.answer({ delivery: "msg_1" })).body,
    { event: "didSelect", indexPath: [0, 1], version: 1, parameters: { animated: true } });
  assert.deepEqual(await report, { delivery: "msg_1" });
  const header = list.report("didTap", { header: 0 });
  assert.deepEqual((await server.answer({ delivery: null })).body, { event: "didTap", header: 0, version: 1 });
  await header;
  const ask = list.ask("rowHeight", [[0, 0], [0, 1]]);
  const request = await server.answer({ values: [{ value: 44, source: "hook" }, { value: -1, source: "default" }] });
  assert.equal(request.path, "/v1/directors/a/events");
  assert.deepEqual(request.body, { event: "rowHeight", indexPaths: [[0, 0], [0, 1]], version: 1 });
  assert.deepEqual((await ask).map(answer => answer.value), [44, -1]);
  assert.deepEqual(await list.ask("rowHeight", []), []);
});

test("what cannot be shown ahead is refused at once", () => {
  assert.throws(() => list.optimistically(sections => sections[7].elements, outcome().promise), TypeError);
  assert.equal(list.shown, list.sections);
});

/** A sparse list of 300 rows, of which the first 100 are loaded. */
async function sparse() {
  const list = board.follow("s", { sparse: true });
  const stream = await server.stream();
  const made = snapshot("s", 1, []);
  stream.send("snapshot", { ...made, counts: { sections: 1, elements: 300 } });
  await list.ready;
  const load = list.load(0, 0, 50);
  await server.answer({ elements: Array.from({ length: 100 }, (_, n) => ({ id: `e${n}`, model: "Item", value: { n } })) });
  await load;
  return { list, stream };
}

test("a change of a sparse list shows ahead on the rows that are loaded, and is refused where it needs others", async () => {
  const { list, stream } = await sparse();
  const { promise, resolve } = outcome();
  list.optimistically(sections => sections.map(section => ({
    ...section, elements: section.elements.filter(({ id }) => id !== "e1").map(element => ({ ...element, value: { n: -element.value.n } })),
  })), promise);
  const [{ elements }] = list.shown;
  assert.deepEqual([elements.length, elements.at(0).id, elements.at(1).id, elements.at(1).value.n, elements.at(200)], [299, "e0", "e2", -2, undefined]);
  assert.deepEqual([list.sections[0].elements.length, list.at(0, 1).value.n], [300, 1]);
  const load = list.load(0, 100, 101);
  await server.answer({ elements: [{ id: "e100", model: "Item", value: { n: 100 } }] });
  await load;
  assert.equal(list.shown[0].elements.at(99).value.n, -100, "rows that come later are changed too");
  resolve({ version: 2 });
  stream.send("changeset", { ...addition("s", 1, 300), counts: { sections: 1, elements: 301 } });
  await until(() => list.version === 2);
  await turn();
  assert.equal(list.shown, list.sections);
  const all = sections => sections.map(section => ({ ...section, elements: [...section.elements].reverse() }));
  assert.throws(() => list.optimistically(all, outcome().promise), TypeError);
});
