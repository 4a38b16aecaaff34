import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { client, offline } from "./support/load.mjs";
import { FakeServer, KeptRecords, addition, snapshot, until } from "./support/fake.mjs";
import { Locks } from "./support/locks.mjs";

const { Callboard, CallboardError } = client;
const refusal = { type: "urn:callboard:problem:conflict", status: 409, detail: "the version is gone" };
const tap = element => ({ event: "didSelect", section: "friends", element });
const turn = () => new Promise(resolve => setTimeout(resolve, 5));
let server, storage, opened;

beforeEach(() => {
  server = new FakeServer();
  storage = new KeptRecords();
  opened = [];
  // Pauses are a thousandth of what they are.
  mock.method(Math, "random", () => -0.998);
});
afterEach(() => {
  for (const each of opened) each.close();
  mock.restoreAll();
});

function board(options) {
  const made = new Callboard({ url: "http://lists.test", fetch: server.fetch, share: false, ...options });
  opened.push(made);
  return made;
}

function queue(options) {
  const made = new offline.ReportQueue(board(), { storage, ...options });
  opened.push(made);
  return made;
}

/** The elements of a request's reports, and their keys. */
const elements = request => request.body.events.map(({ element }) => element).join("");
const keys = request => [request.headers["Idempotency-Key"], ...request.body.events.map(({ key }) => key)];
const taken = count => ({ outcomes: Array.from({ length: count }, (_, number) => ({ delivery: `d${number}` })) });

test("reports go in order, one request at a time, and what waits goes together", async () => {
  const reports = queue(), first = reports.report("contacts", tap("a"));
  await until(() => server.requests.length);
  const others = ["b", "c"].map(each => reports.report("contacts", tap(each)));
  await others[1].kept;
  assert.equal(reports.waiting, 3);
  await turn();
  assert.equal(server.requests.length, 1);
  const [one] = server.requests;
  assert.deepEqual([one.method, one.path, elements(one)], ["POST", "/v1/directors/contacts/events", "a"]);
  assert.equal(new Set(keys(one)).size, 2);
  await server.answer(taken(1));
  assert.deepEqual(await first, { delivery: "d0" });
  const two = await server.answer(taken(2));
  assert.deepEqual([elements(two), new Set([...keys(one), ...keys(two)]).size], ["bc", 5]);
  assert.deepEqual(await Promise.all(others), [{ delivery: "d0" }, { delivery: "d1" }]);
  await until(() => !storage.records.size);
  assert.equal(reports.waiting, 0);
});

test("a request carries a thousand reports at most, of one director and one selection", async () => {
  const reports = queue({ limit: 5000 }), where = { "==": [1, 1] };
  let last;
  for (let number = 0; number < 1002; number++) last = reports.report("a", tap("x"));
  reports.report("b", tap("y"));
  reports.report("b", tap("z"), { where, limit: 3 });
  last = reports.report("a", tap("x"));
  await last.kept;
  const sizes = [];
  while (reports.waiting) {
    const request = await server.next(), { events } = request.body;
    sizes.push(`${request.path.split("/")[3]} ${events.length} ${decodeURIComponent(request.query)}`);
    request.resolve(Response.json(taken(events.length)));
    await until(() => server.requests.length > sizes.length || !reports.waiting);
  }
  assert.deepEqual(sizes, ["a 1000 ", "a 2 ", "b 1 ", `b 1 where={"==":[1,1]}&limit=3`, "a 1 "]);
});

test("what is lost is sent again as it was, and what was added meanwhile follows", async () => {
  const reports = queue(), sent = [], answers = [
    request => request.reject(new TypeError("no network")),
    request => request.resolve(new Response("portal", { status: 200, headers: { "Content-Type": "text/html" } })),
    request => request.resolve(Response.json({}, { status: 429, headers: { "Retry-After": "0.001" } })),
    request => request.resolve(Response.json({ type: "urn:callboard:problem:token", status: 401 }, {
      status: 401, headers: { "Content-Type": "application/problem+json" } })),
    request => request.resolve(Response.json({ outcomes: [] })),
    request => request.resolve(new Response("{", { headers: { "Content-Type": "application/json" } })),
    request => request.resolve(Response.json({}, { status: 503 })),
    request => request.resolve(Response.json(taken(1))),
  ];
  const first = reports.report("contacts", tap("a"));
  for (const [number, answer] of answers.entries()) {
    const request = await server.next();
    sent.push(request);
    if (number === 0) await reports.report("contacts", tap("b")).kept;
    answer(request);
  }
  assert.deepEqual(await first, { delivery: "d0" });
  assert.deepEqual(new Set(sent.map(request => keys(request).join())).size, 1);
  assert.ok(sent.every(request => elements(request) === "a"));
  assert.equal(elements(await server.answer(taken(1))), "b");
});

test("pauses grow, the server may ask for a longer one, and a network that is back ends it", async () => {
  mock.restoreAll();
  const pauses = [], later = setTimeout;
  mock.method(Math, "random", () => 1);
  mock.method(globalThis, "setTimeout", (act, after, ...more) => {
    const isPause = after > 500 && after < 20000;
    if (isPause) pauses.push(after);
    return later(act, isPause ? 1 : after, ...more);
  });
  const reports = queue();
  const outcome = reports.report("contacts", tap("a"));
  for (let number = 0; number < 12; number++) (await server.next()).reject(new TypeError("no network"));
  await until(() => pauses.length === 12);
  const own = pauses.filter((_, number) => number % 4 === 3);
  assert.deepEqual(own, [1000, 2000, 4000]);
  mock.restoreAll();
  (await server.next()).reject(new TypeError("no network"));
  for (let number = 0; number < 3; number++) await server.answer({}, { status: 503, headers: { "Retry-After": "0.001" } });
  const before = server.requests.length;
  await new Promise(resolve => setTimeout(resolve, 50));
  assert.equal(server.requests.length, before);
  reports.wakeUp();
  await server.answer(taken(1));
  await outcome;
});

test("what is refused is told, and does not hold up the others", async () => {
  const refused = [], reports = queue({ onRefused: ({ event, director, key }, { status, detail }) =>
    refused.push([director, event.element, key.length, status, detail]) });
  reports.report("contacts", tap("a"));
  const first = await server.next(), several = ["b", "c"].map(each => reports.report("contacts", tap(each)));
  first.resolve(new Response(JSON.stringify(refusal), { status: 409, headers: { "Content-Type": "application/problem+json" } }));
  await server.answer({ outcomes: [{ problem: { ...refusal, status: 422 } }, { delivery: null }] });
  await assert.rejects(several[0], error => error instanceof CallboardError && error.status === 422);
  assert.deepEqual(await several[1], { delivery: null });
  assert.deepEqual(refused, [["contacts", "a", 32, 409, refusal.detail], ["contacts", "b", 32, 422, refusal.detail]]);
  await until(() => !storage.records.size);
});

test("a listener for refusals that throws does not hold up the others", async () => {
  const rethrown = [], later = setTimeout;
  const reports = queue({ onRefused() { throw new Error("the page's own"); } });
  await reports.report("contacts", tap("a")).kept;
  const request = await server.next(), after = reports.report("contacts", tap("b"));
  mock.method(globalThis, "setTimeout", (act, after) => after === undefined ? rethrown.push(act) : later(act, after));
  request.resolve(new Response(JSON.stringify(refusal), { status: 409, headers: { "Content-Type": "application/problem+json" } }));
  await server.answer(taken(1));
  await after;
  assert.throws(rethrown[0], { message: "the page's own" });
});

test("a queue that is full, that is closed, or whose storage fails refuses with the reason", async () => {
  const reports = queue({ limit: 2 });
  await Promise.all(["a", "b"].map(each => reports.report("contacts", tap(each)).kept));
  await assert.rejects(reports.report("contacts", tap("c")), {
    name: "CallboardError", type: "urn:callboard:client:full", message: "2 reports wait for the server, and the queue takes no more" });
  assert.equal(storage.records.size, 2);
  const small = queue({ size: [...storage.records.values()].reduce((sum, { text }) => sum + text.length, 10) });
  await small.ready;
  await assert.rejects(small.report("contacts", tap("c")), { type: "urn:callboard:client:full", message: /^2 reports wait/ });
  small.close();
  await server.answer(taken(2));
  await until(() => !reports.waiting);
  await assert.rejects(reports.report("contacts", { indexPath: [0, 0] }), { message: "members are missing" });
  await assert.rejects(reports.report("contacts", { event: "didSelect", parameters: 1n }), TypeError);
  assert.equal(storage.records.size, 0);
  storage.put = () => { throw new Error("no room"); };
  await assert.rejects(reports.report("contacts", tap("d")), { type: "urn:callboard:client:storage", message: /cannot be kept: Error: no room/ });
  assert.equal(reports.waiting, 0);
  reports.close();
  await assert.rejects(reports.report("contacts", tap("e")), { type: "urn:callboard:client:closed" });
});

test("a report survives its page, and goes with its key and before later ones", async () => {
  let reports = queue();
  const lost = reports.report("contacts", tap("a"));
  await reports.report("contacts", { ...tap("b"), parameters: { big: client.parseJSON("653247040368672768") } }).kept;
  const first = await server.next();
  reports.close();
  await assert.rejects(lost, { type: "urn:callboard:client:closed" });
  assert.equal(storage.records.size, 2);
  // A clock that was set back does not change the order.
  mock.method(Date, "now", () => 1000);
  reports = queue();
  await reports.report("contacts", tap("c")).kept;
  assert.equal(reports.survives, true);
  assert.ok(reports.waiting === 3 && reports.faults.length === 0);
  const again = await server.next();
  assert.deepEqual([elements(again), keys(again)[1]], ["abc", keys(first)[1]]);
  assert.notEqual(keys(again)[0], keys(first)[0]);
  assert.match(again.init.body, /"big":653247040368672768/);
  again.resolve(Response.json(taken(3)));
  await until(() => !storage.records.size);
});

test("records that are damaged are put aside and named, and the others are sent", async () => {
  let reports = queue();
  for (const each of "abcdefg") await reports.report("contacts", tap(each)).kept;
  reports.close();
  await server.next();
  const [a, b, c, d, e, f, g] = storage.all();
  const spoiled = [{ ...a, text: a.text.slice(0, -9) }, { ...b, format: 2 }, { ...c, text: "null" }, { id: d.id }, { ...e, text: '{"director":1}' }];
  for (const record of spoiled) storage.put(record);
  storage.put({ ...f, id: "x" });
  await storage.remove(f.id);
  const all = storage.all;
  storage.all = function () { return [null, ...all.call(this)]; };
  reports = await queue().ready;
  assert.equal(reports.waiting, 1);
  assert.equal(reports.faults.length, 7);
  assert.ok(spoiled.every(({ id }) => reports.faults.some(fault => fault.startsWith(`the record ${id} is no report: `))));
  assert.equal(elements(await server.answer(taken(1))), "g");
  await until(() => !reports.waiting);
  // What was put aside stays, and is not named again.
  assert.deepEqual([...storage.records.keys()].filter(id => !id.startsWith("damaged ")), []);
  assert.deepEqual(storage.records.get(`damaged ${a.id}`).text, spoiled[0].text);
  const [next] = [await queue().ready];
  assert.equal(next.faults.length, 1);
});

test("a storage that cannot be read is named, and reports are sent all the same", async () => {
  storage.all = () => { throw new Error("broken"); };
  const reports = await queue().ready;
  assert.deepEqual(reports.faults, ["the reports cannot be read: Error: broken"]);
  const outcome = reports.report("contacts", tap("a"));
  await server.answer(taken(1));
  await outcome;
});

test("without a database reports are kept in memory, and the queue says so", async () => {
  const reports = queue({ storage: undefined, name: "alone" });
  assert.equal(reports.survives, undefined);
  const outcome = reports.report("contacts", tap("a"));
  await outcome.kept;
  assert.equal(reports.survives, false);
  await server.answer(taken(1));
  assert.deepEqual(await outcome, { delivery: "d0" });
});

test("of two pages one sends, tells the other, and leaves it the rest when it goes", async context => {
  const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  Object.defineProperty(globalThis, "navigator", { value: { locks: new Locks() }, configurable: true });
  context.after(() => before ? Object.defineProperty(globalThis, "navigator", before) : delete globalThis.navigator);
  const told = [], [one, other] = ["one", "other"].map(page => queue({ onRefused: ({ event }) => told.push([page, event.element]) }));
  await one.report("contacts", tap("a")).kept;
  const first = await server.next(), second = other.report("contacts", tap("b")), third = other.report("contacts", tap("c"));
  await third.kept;
  await until(() => one.waiting === 3 && other.waiting === 3);
  await turn();
  assert.equal(server.requests.length, 1);
  first.resolve(Response.json(taken(1)));
  // The page that sends has heard of the other's reports.
  assert.equal(elements(await server.answer({ outcomes: [{ delivery: "m" }, { problem: refusal }] })), "bc");
  assert.deepEqual(await second, { delivery: "m" });
  await assert.rejects(third, error => error instanceof CallboardError && error.status === 409);
  assert.deepEqual(told, [["one", "c"]]);
  await until(() => !one.waiting && !other.waiting);
  // One page goes with a request under way: the other sends it, with its key.
  await one.report("contacts", tap("d")).kept;
  const left = await server.next();
  await until(() => other.waiting === 1);
  one.close();
  const taker = await server.next();
  assert.deepEqual([elements(taker), keys(taker)[1]], ["d", keys(left)[1]]);
  taker.resolve(Response.json(taken(1)));
  await until(() => !other.waiting && !storage.records.size);
});

test("a page whose report was sent by one that went without a word is told that it is gone", async context => {
  const before = Object.getOwnPropertyDescriptor(globalThis, "navigator"), locks = new Locks();
  Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
  context.after(() => before ? Object.defineProperty(globalThis, "navigator", before) : delete globalThis.navigator);
  let release;
  locks.request("callboard reports reports", {}, () => new Promise(resolve => release = resolve));
  const outcome = queue().report("contacts", tap("a"));
  await outcome.kept;
  storage.records.clear();
  release();
  assert.equal(await outcome, undefined);
  assert.equal(server.requests.length, 0);
});

test("pages that may not use locks send, each by itself", async context => {
  const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  const locks = { request: () => Promise.reject(new DOMException("not here", "SecurityError")) };
  Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
  context.after(() => before ? Object.defineProperty(globalThis, "navigator", before) : delete globalThis.navigator);
  const outcome = queue().report("contacts", tap("a"));
  await server.answer(taken(1));
  assert.deepEqual(await outcome, { delivery: "d0" });
});

/** Follows a list with a store; its next connection, once it is there. */
async function follow(store, callboard = board(), name = "a", options) {
  const list = await store.follow(callboard, name, options);
  return [list, await server.stream()];
}

const store = options => new offline.ListStore("app", { storage, pause: 1, ...options });
const ids = list => list.sections.flatMap(({ elements }) => elements.map(({ id }) => id)).join("");
const kept = () => JSON.parse(storage.all()[0]?.text ?? "{}");

/** Keeps a list of version 2, and ends the page. */
async function visit(more) {
  const page = board(), [list, stream] = await follow(store(), page);
  stream.send("snapshot", snapshot("a", 1, ["a", "b"], more));
  stream.send("changeset", addition("a", 1, 2));
  await until(() => kept().version === 2);
  page.close();
  return list;
}

test("a list that is kept is shown before there is a network, and its stream goes on after it", async () => {
  await visit();
  const list = await store().follow(board(), "a");
  assert.deepEqual([list.version, ids(list), list.isStale, list.definition.kind], [2, "abn1", true, "table"]);
  assert.equal(await list.ready, list);
  const lost = await server.next();
  assert.equal(lost.headers["Last-Event-ID"], "life-a-2");
  lost.reject(new TypeError("no network"));
  const stream = await server.stream();
  stream.send("resumed", { director: "a", from: 2, version: 2 });
  await until(() => !list.isStale);
  stream.send("changeset", addition("a", 2, 3));
  await until(() => kept().version === 3);
  assert.deepEqual([ids(list), kept().sections[0].elements.length], ["abn1n2", 4]);
});

test("a server that has lost the version sends the list whole, which is kept then", async () => {
  await visit();
  const [list, stream] = await follow(store());
  stream.send("snapshot", snapshot("a", 9, ["z"], { epoch: "another", reset: "the version is gone" }));
  await until(() => kept().epoch === "another");
  assert.deepEqual([ids(list), kept().version, "reset" in kept()], ["z", 9, false]);
});

test("what is shown ahead of the server is not kept, and numbers keep their digits", async () => {
  const [list, stream] = await follow(store({ pause: 30 }));
  stream.write(`event: snapshot\ndata: ${JSON.stringify(snapshot("a", 1, ["a"])).replace('{"id":"a"}', '{"id":653247040368672768}')}\n\n`);
  await list.ready;
  list.optimistically(() => [], new Promise(() => {}));
  await until(() => storage.records.size);
  assert.match(storage.all()[0].text, /"value":\{"id":653247040368672768\}/);
  assert.deepEqual([ids(list), list.shown], ["a", []]);
  assert.equal(String((await store().follow(board(), "a")).sections[0].elements[0].value.id), "653247040368672768");
});

test("a list is kept once in a while, and at once where the page is left", async context => {
  const writes = [], put = storage.put, page = new EventTarget();
  storage.put = record => (writes.push(JSON.parse(record.text).version), put.call(storage, record));
  globalThis.document = Object.assign(page, { hidden: false });
  context.after(() => delete globalThis.document);
  const [list, stream] = await follow(store({ pause: 300 }));
  stream.send("snapshot", snapshot("a", 1));
  for (let version = 1; version < 6; version++) stream.send("changeset", addition("a", version, version + 1));
  await until(() => writes.length);
  assert.deepEqual(writes, [6]);
  stream.send("changeset", addition("a", 6, 7));
  await until(() => list.version === 7);
  page.dispatchEvent(new Event("visibilitychange"));
  assert.equal(writes.length, 1);
  page.hidden = true;
  page.dispatchEvent(new Event("visibilitychange"));
  await turn();
  assert.equal(writes.length, 2);
  stream.send("refresh", { director: "a", version: 7 });
  stream.send("resumed", { director: "a", from: 7, version: 7 });
  await new Promise(resolve => setTimeout(resolve, 350));
  assert.deepEqual(writes, [6, 7]);
});

test("records that are damaged or of another form are thrown away", async () => {
  await visit();
  const [record] = storage.all(), change = more => JSON.stringify({ ...kept(), ...more });
  for (const spoiled of [
    { text: record.text.slice(0, -5) }, { format: 2 }, { text: undefined }, { text: "null" }, { text: change({ sections: {} }) },
    { text: change({ version: -1 }) }, { text: change({ epoch: "" }) }, { text: change({ sections: [{ id: "s" }] }) },
    { text: change({ sections: [{ id: "s", elements: [null] }] }) },
  ]) {
    await storage.put({ ...record, ...spoiled });
    const page = board(), list = await store().follow(page, "a");
    assert.deepEqual([list.version, storage.records.size], [-1, 0], JSON.stringify(spoiled));
    page.close();
  }
  storage.get = () => { throw new Error("broken"); };
  storage.remove = () => { throw new Error("broken"); };
  assert.equal((await store().follow(board(), "a")).version, -1);
});

test("a list that has become too long is not kept, nor its earlier state; nor one that is gone", async () => {
  await visit();
  const errors = [], page = board(), [, stream] = await follow(store({ limit: 300, onError: ({ name }, of) => errors.push(name, of) }), page);
  stream.send("changeset", addition("a", 2, 3));
  await until(() => errors.length);
  assert.deepEqual([errors, storage.records.size], [["RangeError", "a"], 0]);
  page.close();
  await visit();
  const [list, last] = await follow(store());
  last.send("end", { director: "a", reason: "deleted" });
  await until(() => list.status === "over" && !storage.records.size);
});

test("a list that may not be read any more is forgotten, and one whose token has ended is not", async () => {
  const answer = status => ({ status, headers: { "Content-Type": "application/problem+json" } });
  for (const status of [401, 403]) {
    await visit();
    const list = await store().follow(board(), "a");
    await server.answer({ type: "urn:callboard:problem:x", status }, answer(status));
    await until(() => list.status === "failed");
    await turn();
    assert.equal(storage.records.size, status === 403 ? 0 : 1);
  }
});

test("each name and selection is kept by itself, and can be forgotten", async () => {
  const lists = store(), page = board(), [, one] = await follow(lists, page), [, two] = await follow(lists, page, "a", { limit: 1 });
  one.send("snapshot", snapshot("a", 1));
  two.send("snapshot", snapshot("a", 1, ["a"]));
  await until(() => storage.records.size === 2);
  await lists.remove("a", { limit: 1 });
  assert.deepEqual([...storage.records.keys()], ["a "]);
  await assert.rejects(lists.follow(page, "a", { sparse: true }), TypeError);
  assert.equal(await lists.follow(page, "a"), page.follow("a"));
});

test("without a database a list is followed all the same", async () => {
  const [list, stream] = await follow(new offline.ListStore("app"));
  stream.send("snapshot", snapshot("a", 1));
  assert.equal((await list.ready).version, 1);
});
