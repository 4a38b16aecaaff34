// The client against a real server, in Node: what the server is to say is not played here.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { client, offline } from "./support/load.mjs";
import { generator, seed } from "./support/random.mjs";
import { KeptRecords, until } from "./support/fake.mjs";

const program = process.env.CALLBOARD_BIN;
const folder = mkdtempSync(join(tmpdir(), "callboard-"));
const opened = [];
let running;

async function start(port = 0, settings = {}) {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("CALLBOARD_")));
  const child = spawn(program, ["serve", "--port", `${port}`, "--data", join(folder, "data")], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...environment, CALLBOARD_FEED_RETRY_MIN: "50", CALLBOARD_FEED_RETRY_MAX: "100", ...settings },
  });
  let printed = "";
  child.stdout.on("data", data => printed += data);
  await until(() => /^listening on (\S+)/m.test(printed), "a server that listens", 20000);
  child.url = /^listening on (\S+)/m.exec(printed)[1];
  return child;
}

const stop = (child, signal) => new Promise(resolve => { child.once("exit", resolve); child.kill(signal); });

function open(options = {}) {
  const board = new client.Callboard({ url: running.url, ...options });
  opened.push(board);
  return board;
}

async function published(board, name, version) {
  const { body } = await board.director(name).call("GET", "/sections", { query: { state: "published", version, limit: 10000 } });
  return body.sections;
}

async function make(board, name, sections) {
  const director = board.director(name);
  await director.create({ kind: "table" });
  await director.call("PUT", "/adapters/Item", { body: { cell: "ItemCell", identifier: "{id}", content: ["/shown"] } });
  await director.insert(sections, { reload: true });
  return director;
}

const value = (id, shown = 0, hidden = 0) => ({ value: { id: `${id}`, shown, hidden } });

before(async () => { running = await start(); });
after(async () => {
  for (const board of opened) board.close();
  await stop(running, "SIGTERM");
  rmSync(folder, { recursive: true });
});

/** Changes of every kind, a few to a batch. */
function operations(below, sections, next) {
  const at = () => `@${below(sections.length)}`;
  return Array.from({ length: 1 + below(4) }, () => {
    const section = at(), size = sections[+section.slice(1)].elements.length;
    switch (below(size ? 8 : 2)) {
      case 0: return { op: "addElements", section, elements: [value(`n${next()}`)] };
      case 1: return { op: "patchSection", section, patch: { headerTitle: `${below(5)}` } };
      case 2: return { op: "removeElement", section, element: "@last" };
      case 3: return { op: "moveElement", section, from: 0, to: 0, toSection: at() };
      case 4: return { op: "patchElement", section, element: "@first", patch: { hidden: next() } };
      case 5: return { op: "moveSection", from: below(sections.length), to: below(sections.length) };
      case 6: return { op: "moveElement", section, from: 0, to: size - 1 };
      default: return { op: "patchElement", section, element: "@last", patch: { shown: next() } };
    }
  });
}

test(`a followed list equals the published state at every version, a sparse one where it is loaded: CALLBOARD_SEED=${seed}`,
  async () => {
    const board = open(), below = generator(seed);
    let made = 0, applied = 0;
    const next = () => ++made;
    const director = await make(board, "random", ["a", "b", "c"].map(id =>
      ({ id, elements: Array.from({ length: 8 }, () => value(next())) })));
    const list = board.follow("random"), sparse = board.follow("random", { sparse: true });
    await Promise.all([list.ready, sparse.ready]);
    for (let s = 0; s < 3; s++) await sparse.load(s, 0, 4);
    const states = new Map();
    list.addEventListener("change", () => states.set(list.version, list.sections));
    sparse.addEventListener("mismatch", event => assert.fail(event.error));
    for (let round = 0; round < 80; round++) {
      const result = await director.operations(operations(below, list.sections, next), { reload: true }).catch(error => {
        // A batch may take elements that one of its own operations has taken before.
        assert.ok(error.status === 404 || error.status === 422, error);
      });
      if (!result) continue;
      await until(() => list.version >= result.version && sparse.version >= result.version);
      const wanted = await published(board, "random", result.version);
      assert.deepEqual(states.get(result.version) ?? list.sections, wanted, `round ${round}`);
      sparse.sections.forEach(({ elements, ...own }, s) => {
        assert.deepEqual({ ...own, elements: wanted[s].elements.length }, { ...wanted[s], elements: elements.length });
        wanted[s].elements.forEach((element, e) => elements.at(e) && assert.deepEqual(elements.at(e), element));
      });
      applied++;
    }
    assert.ok(applied > 25, `${applied} of 80 batches were taken`);
  });

test("rows that are loaded while the list changes stand where they have got to", async () => {
  const board = open();
  const director = await make(board, "long", [{ id: "s", elements: Array.from({ length: 5000 }, (_, n) => value(n)) }]);
  const list = board.follow("long", { sparse: true });
  await list.ready;
  assert.equal(list.sections[0].elements.length, 5000);
  assert.equal(list.at(0, 4000), undefined);
  const changes = [];
  for (let n = 0; n < 10; n++) changes.push(director.section("s").delete(0, { reload: true }));
  const loads = [0, 250, 4010].map(from => list.load(0, from, from + 30));
  const version = Math.max(...(await Promise.all(changes)).map(result => result.version));
  await Promise.all(loads);
  await until(() => list.version === version);
  const wanted = (await published(board, "long", version))[0].elements;
  let loaded = 0;
  wanted.forEach((element, n) => {
    if (list.at(0, n)) assert.deepEqual(list.at(0, n), element, `row ${n}`), loaded++;
  });
  assert.ok(loaded >= 270 && loaded <= 300, `${loaded}`);
  list.limit = 150;
  await list.load(0, 2000, 2100);
  assert.ok(list.at(0, 2050) && !list.at(0, 4050) && list.sections[0].elements.loaded <= 150);
});

test("rows that keep coming into sight are asked for about twice a second, and are the right ones", async () => {
  let asked = 0;
  const board = open({ fetch: (url, init) => (asked += `${url}`.includes("/elements"), fetch(url, init)) });
  const director = await make(board, "busy", [{ id: "s", elements: Array.from({ length: 5000 }, (_, n) => value(n)) }]);
  const list = board.follow("busy", { sparse: true });
  await list.ready;
  const look = () => list.load(0, 0, 30);
  for (const type of ["change", "loaded"]) list.addEventListener(type, look);
  await look();
  const before = asked, began = performance.now();
  let last, changes = 0;
  for (; performance.now() - began < 4000; changes++) {
    last = await director.section("s").move(4000, changes % 20, { reload: true });
    await new Promise(resolve => setTimeout(resolve, Math.max(0, began + changes * 50 - performance.now())));
  }
  const rate = (asked - before) / (performance.now() - began) * 1000;
  console.log(`${changes} changes, ${rate.toFixed(1)} requests for rows a second`);
  await until(() => list.version === last.version && Array.from({ length: 30 }, (_, n) => list.at(0, n)).every(Boolean));
  const wanted = (await published(board, "busy", last.version))[0].elements.slice(0, 30);
  assert.deepEqual(Array.from({ length: 30 }, (_, n) => list.at(0, n)), wanted);
  assert.ok(changes > 15 && rate <= 3, `${changes} changes, ${rate} a second`);
});

test("a hundred thousand rows open without their rows, by one request", async () => {
  const asked = [];
  const board = open({ fetch: (url, init) => (asked.push(`${url}`), fetch(url, init)) });
  const director = await make(board, "vast", []);
  for (let s = 0; s < 4; s++) {
    const elements = Array.from({ length: 25000 }, (_, n) => value(`${s}-${n}`));
    await director.insert([{ id: `s${s}`, elements }], { reload: s === 3 });
  }
  const began = performance.now();
  asked.length = 0;
  const list = board.follow("vast", { sparse: true });
  await list.ready;
  assert.equal(asked.length, 1, `${asked}`);
  await list.load(3, 20000, 20030);
  console.log(`opened in ${Math.round(performance.now() - began)} ms`);
  assert.deepEqual(list.sections.map(section => section.elements.length), [25000, 25000, 25000, 25000]);
  assert.equal(list.at(3, 20010).id, "3-20010");
});

test("what is selected is filtered, sorted and cut by the server, and kept up", async () => {
  const board = open(), random = generator(seed);
  const director = await make(board, "picked", [{ id: "s", elements: Array.from({ length: 40 }, (_, n) => value(n, n % 7, n)) }]);
  const where = { "<": [{ var: "value.shown" }, 4] }, sortBy = [{ key: { var: "value.hidden" }, order: "descending" }];
  const picked = board.follow("picked", { where, sortBy, limit: 9 });
  assert.equal(board.follow("picked", { limit: 9, sortBy, where }), picked, "the same selection is the same list");
  const whole = board.follow("picked");
  assert.notEqual(picked, whole);
  await Promise.all([picked.ready, whole.ready]);
  for (let n = 0; n < 30; n++) {
    const id = `${random(40)}`, patch = { shown: random(8), hidden: 1000 * random(1000) + n };
    const { version } = await director.section("s").patch(id, patch, { reload: true });
    if (version !== undefined) await until(() => whole.version === version);
    const wanted = whole.sections[0].elements.filter(({ value }) => value.shown < 4)
      .sort((one, other) => other.value.hidden - one.value.hidden).slice(0, 9).map(({ id }) => id);
    await until(() => `${picked.sections[0].elements.map(({ id }) => id)}` === `${wanted}`, `${wanted}`);
  }
  picked.close();
  picked.close();
  assert.equal(whole.status, "live");
  assert.throws(() => board.follow("picked", { where, sparse: true }), TypeError);
});

test("the parameters of a view are bound, and events are reported at what is shown", async () => {
  const board = open(), asked = [];
  await make(board, "orders", [{ id: "s", elements: [value("a", 1), value("b", 2), value("c", 1)] }]);
  const view = {
    from: "orders", parameters: { shown: { type: "number", default: 2 } },
    where: { "==": [{ var: "value.shown" }, { var: "parameters.shown" }] },
  };
  await board.director("ones").call("PUT", "", { body: { kind: "table", view } });
  const other = open({ fetch: (url, init) => (asked.push(`${init?.method} ${url}`), fetch(url, init)) });
  const ones = await other.follow("ones", { parameters: { shown: 1 } }).ready;
  const twos = await other.follow("ones").ready;
  const ids = list => list.sections[0].elements.map(({ id }) => id).join("");
  assert.deepEqual([ids(ones), ids(twos)], ["ac", "b"]);
  assert.equal((await ones.ask("rowHeight", [[0, 1]])).length, 1);
  assert.ok(asked.some(each => /^POST .*\/ones\/events\?parameters.shown=1$/.test(each)), `${asked}`);
  await assert.rejects(twos.ask("rowHeight", [[0, 1]]), { status: 422 });
});

test("what is shown ahead gives way to the very version; a refusal takes it back", async () => {
  const board = open(), director = await make(board, "ahead", [{ id: "s", elements: [value(1), value(2)] }]);
  const list = await board.follow("ahead").ready;
  // Done twice it would show: the changeset may be faster than the answer, and takes it back by its cause.
  const dropFirst = sections => sections.map(section => ({ ...section, elements: section.elements.slice(1) }));
  const shown = [];
  list.subscribe(state => shown.push(state.sections[0].elements.map(element => element.id).join("")));
  const { version } = await list.optimistically(dropFirst, director.section("s").delete(0, { reload: true }));
  await until(() => list.version === version && list.shown === list.sections);
  const refused = list.optimistically(dropFirst, director.section("s").delete(0, { reload: true, ifMatch: '"other-r1"' }));
  await assert.rejects(refused, { status: 412, type: "urn:callboard:problem:revision-mismatch" });
  await until(() => list.shown === list.sections);
  assert.deepEqual(shown.filter((text, n) => text !== shown[n - 1]), ["12", "2", "", "2"]);
});

test("a list whose stream an operator ends comes back where it was", async () => {
  const board = open(), director = await make(board, "ended", [{ id: "s", elements: [value(1)] }]);
  const list = await board.follow("ended").ready, seen = [];
  for (const type of ["resumed", "snapshot", "end"]) list.addEventListener(type, event => seen.push(event.reason ?? type));
  const { streams } = await (await fetch(`${running.url}/v1/streams?director=ended`)).json();
  assert.deepEqual(streams.map(stream => stream.directors), [[{ name: "ended", version: 1, lag: 0 }]]);
  assert.equal((await fetch(`${running.url}/v1/streams/${streams[0].id}`, { method: "DELETE" })).status, 204);
  await until(() => list.status === "waiting");
  const { version } = await director.section("s").insert([value(2)], { reload: true });
  await until(() => list.version === version, "the version after the end", 20000);
  assert.deepEqual(list.sections, await published(board, "ended", version));
  assert.deepEqual(seen, ["closed", "resumed"]);
});

test("a list goes on where it was after the server was killed, and ends with its director", async () => {
  const board = open(), director = await make(board, "killed", [{ id: "s", elements: [value(1)] }]);
  const list = await board.follow("killed").ready, seen = [];
  for (const type of ["resumed", "snapshot", "mismatch"]) list.addEventListener(type, () => seen.push(type));
  await stop(running, "SIGKILL");
  await until(() => list.status === "waiting");
  running = await start(new URL(running.url).port);
  const { version } = await director.section("s").insert([value(2)], { reload: true });
  await until(() => list.version === version, "the version after the restart", 20000);
  assert.deepEqual(list.sections, await published(board, "killed", version));
  assert.deepEqual(seen, ["resumed"]);
  await director.delete();
  await until(() => list.status === "over");
});

/** A web hook that notes the identifier and the body of each delivery. */
async function receiver(context) {
  const received = [], server = createServer((request, response) => {
    let text = "";
    request.on("data", data => text += data);
    request.on("end", () => {
      received.push([request.headers["webhook-id"], JSON.parse(text)]);
      response.writeHead(204).end();
    });
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  return { received, url: `http://127.0.0.1:${server.address().port}/` };
}

test("reports whose answers are lost, of a page that goes and a server that is killed, are delivered in order and once in effect",
  async context => {
    const { received, url } = await receiver(context), storage = new KeptRecords(), setup = open();
    const director = await make(setup, "reported", [{ id: "s", elements: ["a", "b", "c", "d"].map(id => value(id)) }]);
    await director.call("PUT", "/adapters/Item/events/didSelect", { body: { url } });
    const lost = [], refused = [];
    const page = losesAnswers => new offline.ReportQueue(open({
      fetch: async (address, init) => {
        const answer = await fetch(address, init);
        if (losesAnswers && /events$/.test(address)) throw lost.push(await answer.json()), new TypeError("the answer is lost");
        return answer;
      },
    }), { storage, onRefused: ({ event }, { status }) => refused.push([event.element, status]) });
    const tap = element => ({ event: "didSelect", section: "s", element });
    const first = page(true);
    await first.report("reported", tap("a")).kept;
    await until(() => lost.length, "an answer that is lost");
    await Promise.all(["b", "nobody", "c"].map(element => first.report("reported", tap(element)).kept));
    first.close();
    await stop(running, "SIGKILL");
    const second = page(false);
    await second.report("reported", tap("d")).kept;
    await until(() => second.waiting === 5);
    running = await start(new URL(running.url).port);
    second.wakeUp();
    await until(() => !second.waiting, "reports that are taken", 20000);
    second.close();
    const told = () => received.filter(([id], number) => received.findIndex(([other]) => other === id) === number);
    await until(() => told().length >= 4, "all deliveries", 20000);
    assert.deepEqual(told().map(([, { data }]) => data.element.id), ["a", "b", "c", "d"]);
    assert.deepEqual(refused, [["nobody", 422]]);
    assert.equal(storage.records.size, 0);
  });

test("a list that is kept is shown without a server, and goes on where it was", async () => {
  const storage = new KeptRecords(), setup = open(), director = await make(setup, "kept", [{ id: "s", elements: [value(1)] }]);
  const page = open(), store = () => new offline.ListStore("app", { storage, pause: 1 });
  const before = await (await store().follow(page, "kept")).ready;
  await until(() => storage.records.size);
  page.close();
  await director.section("s").insert([value(2)], { reload: true });
  await stop(running, "SIGKILL");
  const list = await store().follow(open(), "kept"), seen = [];
  for (const type of ["resumed", "snapshot", "mismatch"]) list.addEventListener(type, () => seen.push(type));
  assert.deepEqual([list.sections, list.version, list.isStale], [before.sections, before.version, true]);
  running = await start(new URL(running.url).port);
  await until(() => list.version === before.version + 1, "the version that came meanwhile", 20000);
  assert.deepEqual(list.sections, await published(setup, "kept", list.version));
  assert.deepEqual([seen, list.isStale], [["resumed"], false]);
});
