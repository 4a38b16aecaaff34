import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { client } from "./support/load.mjs";
import { FakeServer, addition, snapshot, until } from "./support/fake.mjs";

let server, board;
const open = options => board = new client.Callboard({ url: "http://lists.test", fetch: server.fetch, share: false, ...options });
const ids = list => list.sections.flatMap(section => section.elements.map(element => element.id)).join("");

beforeEach(() => { server = new FakeServer(); });
afterEach(() => { board.close(); mock.restoreAll(); });

test("what is followed in one go has one stream, and each list gets its own events", async () => {
  open();
  const [a, b] = ["a", "b"].map(name => board.follow(name));
  const stream = await server.stream();
  assert.deepEqual(stream.request.query.getAll("director"), ["a", "b"]);
  assert.equal(stream.request.path, "/v1/changesets");
  stream.send("snapshot", snapshot("b", 7, ["x"]));
  stream.send("snapshot", snapshot("a", 3));
  await Promise.all([a.ready, b.ready]);
  stream.send("changeset", addition("a", 3, 2, "c"));
  await until(() => a.version === 4);
  assert.deepEqual([ids(a), ids(b), b.version], ["abc", "x", 7]);
  stream.send("end", { director: "b", reason: "deleted" });
  await until(() => b.status === "over");
  stream.send("changeset", addition("a", 4, 3, "d"));
  await until(() => a.version === 5);
});

test("a list that is added later goes on where the others are", async () => {
  const a = open().follow("a");
  (await server.stream()).send("snapshot", snapshot("a", 3));
  await a.ready;
  const b = board.follow("b");
  assert.equal(board.follow("a"), a);
  const stream = await server.stream();
  assert.deepEqual(stream.request.query.getAll("director"), ["a", "b"]);
  assert.equal(stream.request.headers["Last-Event-ID"], "life-a-3");
  stream.send("resumed", { director: "a", from: 3, version: 3 });
  stream.send("snapshot", snapshot("b", 1));
  stream.retry(10);
  await b.ready;
  assert.equal(ids(a), "ab");
  stream.breakOff();
  assert.equal((await server.stream()).request.headers["Last-Event-ID"], "life-a-3.life-b-1");
});

test("a view goes on from the number that the server has for its list", async () => {
  const list = open().follow("a"), seen = [];
  for (const type of ["snapshot", "mismatch"]) list.addEventListener(type, () => seen.push(type));
  let stream = await server.stream();
  stream.retry(10);
  stream.send("snapshot", snapshot("a", 5));
  await list.ready;
  for (const [from, length] of [[4, 2], [8, 3]]) {
    stream.breakOff();
    stream = await server.stream();
    stream.send("resumed", { director: "a", from, version: from + 2 });
    stream.send("changeset", { ...addition("a", from, length), version: from + 2 });
    await until(() => list.version === from + 2);
  }
  assert.deepEqual(seen, ["snapshot"]);
});

test("a stream that breaks off is resumed, after the pause that the server asks for, of which a random part", async () => {
  mock.method(Math, "random", () => 0.5);
  const pauses = [], later = setTimeout;
  mock.method(globalThis, "setTimeout", (act, after) => (pauses.push(after), later(act, after)));
  const list = open().follow("a"), seen = [];
  list.addEventListener("resumed", () => seen.push("resumed"));
  list.addEventListener("snapshot", () => seen.push("snapshot"));
  list.addEventListener("status", () => seen.push(list.status));
  let stream = await server.stream();
  stream.retry(200);
  stream.send("snapshot", snapshot("a", 1));
  await list.ready;
  stream.breakOff();
  stream = await server.stream();
  assert.equal(stream.request.headers["Last-Event-ID"], "life-a-1");
  stream.send("resumed", { director: "a", from: 1, version: 3 });
  stream.send("changeset", { ...addition("a", 1, 2), version: 3 });
  await until(() => list.version === 3);
  assert.equal(ids(list), "abn1");
  assert.deepEqual(seen, ["live", "snapshot", "waiting", "connecting", "live", "resumed"]);
  // What fails again is tried less and less often.
  stream.close();
  (await server.next()).reject(new TypeError("refused"));
  (await server.next()).reject(new TypeError("refused"));
  await server.next();
  // Three quarters of 200 ms, twice, and then of twice as long each time.
  assert.deepEqual(pauses.filter(each => each >= 100 && each < 1000), [150, 150, 300, 600]);
});

test("a stream that brings nothing, not even a heartbeat, is given up", async () => {
  const list = open({ silence: 800 }).follow("a");
  const stream = await server.stream();
  stream.retry(1);
  stream.send("snapshot", snapshot("a", 1));
  await list.ready;
  for (let n = 0; n < 4; n++) {
    await new Promise(resolve => setTimeout(resolve, 250));
    stream.send("heartbeat", { versions: { a: 1 } });
  }
  assert.equal(server.requests.length, 1);
  await server.stream();
  assert.ok(stream.isClosed);
});

test("a stream counts as dead three seconds after a heartbeat was due; how often they come is learned", async () => {
  const later = setTimeout, limits = [];
  let time = Date.now();
  mock.method(globalThis, "setTimeout", (act, after) => (after > 5000 && limits.push(after), later(act, after)));
  mock.method(Date, "now", () => time);
  const list = open().follow("a"), stream = await server.stream();
  stream.send("snapshot", snapshot("a", 1));
  await list.ready;
  assert.equal(limits.at(-1), 18000);
  const beat = () => stream.send("heartbeat", { versions: { a: 1 } });
  beat();
  await new Promise(resolve => later(resolve, 20));
  time += 7000;
  beat();
  await new Promise(resolve => later(resolve, 20));
  stream.send("changeset", addition("a", 1, 2));
  await until(() => list.version === 2);
  assert.equal(limits.at(-1), 10000);
});

test("a page in sight asks for a sign of life where nothing comes, and says that there is none", async () => {
  globalThis.document = { visibilityState: "hidden", addEventListener() {} };
  try {
    const list = open().follow("a"), stream = await server.stream();
    stream.send("snapshot", snapshot("a", 1));
    await list.ready;
    await new Promise(resolve => setTimeout(resolve, 6000));
    assert.equal(server.requests.length, 1, "nobody sees the page");
    document.visibilityState = "visible";
    const request = await server.answer({});
    assert.deepEqual([request.path, list.isStale, stream.isClosed], ["/livez", false, false]);
    const answered = performance.now();
    await until(() => list.isStale);
    assert.ok(performance.now() - answered < 10000 && stream.isClosed);
    assert.deepEqual(server.requests.slice(2).map(({ path }) => path), ["/livez"]);
  } finally {
    delete globalThis.document;
  }
});

test("a silence is told within nine seconds, wherever the looks at the clock fall", async () => {
  const ticks = [];
  let time = Date.now();
  mock.method(globalThis, "setInterval", act => void ticks.push(act));
  mock.method(Date, "now", () => time);
  globalThis.document = { visibilityState: "visible", addEventListener() {} };
  try {
    for (const offset of [3, 500, 998]) {
      const list = open().follow("a"), stream = await server.stream();
      stream.send("snapshot", snapshot("a", 1));
      await list.ready;
      const heard = time;
      // A little early, so that a time of whole seconds is over at the look after the next.
      for (time += offset; !list.isStale; time += 999) {
        assert.ok(time - heard < 9000, `${time - heard} ms`);
        for (const tick of ticks) tick();
        await new Promise(resolve => setTimeout(resolve, 20));
      }
      assert.equal((await server.next()).path, "/livez");
      list.close();
      ticks.length = 0;
    }
  } finally {
    delete globalThis.document;
  }
});

test("a page that has noticed two silences in a row notices another one once a change has come", async () => {
  const ticks = [];
  let time = Date.now();
  mock.method(globalThis, "setInterval", act => void ticks.push(act));
  mock.method(Date, "now", () => time);
  globalThis.document = { visibilityState: "visible", addEventListener() {} };
  try {
    const list = open().follow("a");
    let stream = await server.stream();
    stream.retry(1);
    stream.send("snapshot", snapshot("a", 1));
    await list.ready;
    /** Nothing comes for as long as it takes to ask the server, and again for as long as it has to answer. */
    const fallSilent = () => {
      for (let n = 0; n < 2; n++) {
        time += 5000;
        for (const tick of ticks) tick();
      }
    };
    for (let n = 0; n < 2; n++) {
      fallSilent();
      await until(() => list.isStale);
      assert.equal((await server.next()).path, "/livez");
      stream = await server.stream();
      stream.send("resumed", { director: "a", from: 1, version: 1 });
      await until(() => !list.isStale);
    }
    // It may be one whose connections are all taken, so that it cannot ask.
    fallSilent();
    assert.equal(list.isStale, false);
    stream.send("changeset", addition("a", 1, 2));
    await until(() => list.version === 2);
    fallSilent();
    await until(() => list.isStale, "the list is stale", 5000);
  } finally {
    delete globalThis.document;
  }
});

test("a list begins with a state of elsewhere, and its stream goes on from there", async () => {
  const there = open().follow("a");
  (await server.stream()).send("snapshot", snapshot("a", 3, ["a"]));
  const state = client.parseJSON(client.stringifyJSON((await there.ready).getSnapshot()));
  board.close();
  const list = open().follow("a", { from: state }), seen = [];
  for (const type of ["snapshot", "resumed", "mismatch"]) list.addEventListener(type, () => seen.push(type));
  assert.deepEqual([ids(list), list.version, list.isStale, await list.ready === list], ["a", 3, true, true]);
  assert.deepEqual(list.definition, there.definition);
  const stream = await server.stream();
  assert.equal(stream.request.headers["Last-Event-ID"], "life-a-3");
  stream.send("resumed", { director: "a", from: 3, version: 4 });
  stream.send("changeset", addition("a", 3, 1));
  await until(() => list.version === 4);
  assert.deepEqual([ids(list), list.isStale, seen], ["an3", false, ["resumed"]]);
  assert.equal(board.follow("a", { from: state }).version, 4, "a list that has a version keeps it");
});

test("a state that cannot be is refused, and a snapshot is asked for", async () => {
  const list = open().follow("a", { from: { epoch: "life-a", version: 3, sections: [], definition: { counts: { sections: 1, elements: 1 } } } });
  const stream = await server.stream();
  assert.deepEqual([list.version, stream.request.headers["Last-Event-ID"]], [-1, undefined]);
  stream.send("snapshot", snapshot("a", 5));
  await list.ready;
  assert.equal(list.version, 5);
});

test("what comes twice changes nothing", async () => {
  const list = open().follow("a"), stream = await server.stream();
  stream.send("snapshot", snapshot("a", 1));
  for (const from of [1, 1, 2, 1, 2]) stream.send("changeset", addition("a", from, from + 1));
  stream.send("heartbeat", { versions: { a: 3 } });
  await until(() => list.version === 3);
  assert.equal(ids(list), "abn1n2");
  assert.equal(server.requests.length, 1);
});

for (const [name, event, data] of [
  ["a gap", "changeset", addition("a", 2, 2)],
  ["another life of the director", "changeset", { ...addition("a", 1, 2), epoch: "other" }],
  ["an operation that does not fit", "changeset", addition("a", 1, 5)],
  ["counts that differ", "changeset", { ...addition("a", 1, 2), counts: { sections: 1, elements: 9 } }],
  ["a heartbeat of a later version", "heartbeat", { versions: { a: 2 } }],
]) {
  test(`${name} keeps the list as it is, and a fresh snapshot is asked for`, async () => {
    const list = open().follow("a"), other = board.follow("b"), mismatches = [];
    list.addEventListener("mismatch", event => mismatches.push(event.error.message));
    let stream = await server.stream();
    stream.send("snapshot", snapshot("a", 1));
    stream.send("snapshot", snapshot("b", 5));
    await Promise.all([list.ready, other.ready]);
    const before = list.sections;
    stream.send(event, data);
    stream = await server.stream();
    assert.equal(mismatches.length, 1);
    assert.equal(list.sections, before);
    assert.equal(stream.request.headers["Last-Event-ID"], "life-b-5", "the other list goes on");
    stream.send("snapshot", snapshot("a", 9, ["z"]));
    await until(() => list.version === 9);
    assert.equal(ids(list), "z");
  });
}

test("a director that is not there fails, and the others go on", async () => {
  const [a, b] = [open().follow("a"), board.follow("b")];
  const problem = { type: "urn:callboard:problem:not-found", status: 404, title: "Nothing", detail: "There is no director" };
  await server.answer(problem, { status: 404 });
  assert.equal((await server.answer({ name: "a" })).path, "/v1/directors/a");
  await server.answer(problem, { status: 404 });
  const stream = await server.stream();
  assert.deepEqual(stream.request.query.getAll("director"), ["a"]);
  await assert.rejects(b.ready, { name: "CallboardError", status: 404, detail: "There is no director" });
  assert.equal(b.status, "failed");
  stream.send("snapshot", snapshot("a", 1));
  await a.ready;
});

test("a status that may pass is waited out, for as long as the server says", async () => {
  const list = open().follow("a");
  const began = performance.now();
  await server.answer({ detail: "busy" }, { status: 503, headers: { "Retry-After": "1" } });
  const stream = await server.stream();
  assert.ok(performance.now() - began > 990);
  stream.send("snapshot", snapshot("a", 1));
  await list.ready;
});

for (const when of ["before", "in the middle", "after an end"]) {
  test(`whatever answers in the server's place passes, and is told once: ${when}`, async () => {
    const bodies = [["text/html", "<p>"], ["application/json", '{"status":404}'], ["application/problem+json", '{"type":"about:blank"}'],
      ["text/event-streams", ""], ["", ""]];
    const statuses = [200, 201, 203, 206, ...Array.from({ length: 300 }, (_, n) => n + 300)];
    await Promise.all(statuses.map(async (status, n) => {
      const server = new FakeServer(), board = new client.Callboard({ url: "http://lists.test", fetch: server.fetch, share: false });
      const list = board.follow("a"), told = [];
      mock.method(Math, "random", () => -0.99);
      list.addEventListener("status", () => told.push(list.status));
      if (when !== "before") {
        const stream = await server.stream();
        stream.retry(1);
        stream.send("snapshot", snapshot("a", 1));
        await list.ready;
        if (when === "after an end") stream.send("end", { reason: "closing" });
        stream.close();
      }
      const [type, body] = bodies[n % bodies.length];
      for (let times = 0; times < 2; times++) {
        const hasBody = ![204, 205, 304].includes(status);
        (await server.next()).resolve(new Response(hasBody ? body : null, { status, headers: type ? { "Content-Type": type } : {} }));
      }
      const stream = await server.stream();
      stream.send("snapshot", snapshot("a", 2));
      await until(() => list.version === 2, `version 2 after ${status} ${type}`);
      assert.equal(list.status, "live");
      assert.equal(told.filter(each => each === "live").length, when === "before" ? 1 : 2, `${status}: ${told}`);
      board.close();
    }));
  });
}

test("an empty stream of a proxy that holds the line is no list, and a longer wait than half a minute is kept", async () => {
  const list = open().follow("a"), told = [];
  list.addEventListener("status", () => told.push(list.status));
  // A ten-thousandth of each pause is waited.
  mock.method(Math, "random", () => -0.9998);
  for (let n = 0; n < 2; n++) {
    const stream = await server.stream();
    stream.retry(1);
    stream.close();
  }
  const last = await server.stream();
  last.retry(600_000);
  last.close();
  const began = performance.now();
  const request = await server.next();
  assert.ok(performance.now() - began > 50, "ten minutes, not half of one");
  const body = new ReadableStream({ start: controller => {
    controller.enqueue(new TextEncoder().encode(`event: snapshot\ndata: ${JSON.stringify(snapshot("a", 1))}\n\n`));
    // As of any answer: one that is still read keeps Node waiting for its silence to end.
    request.init.signal.addEventListener("abort", () => controller.error(request.init.signal.reason));
  } });
  request.resolve(new Response(body, { headers: { "Content-Type": "TEXT/Event-Stream; charset=x" } }));
  await list.ready;
  assert.equal(told.filter(each => each === "live").length, 1, `${told}`);
});

test("a list that is left is not asked for any more", async () => {
  const a = open().follow("a"), b = board.follow("b");
  board.follow("b");
  let stream = await server.stream();
  b.close();
  a.close();
  const next = await server.stream();
  assert.ok(stream.isClosed);
  assert.deepEqual(next.request.query.getAll("director"), ["b"], "it was followed twice and left once");
  b.close();
  await until(() => next.isClosed);
});
