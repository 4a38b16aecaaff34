// Reads one vector of each kind with the client, and throws where it comes to something else than the vector expects.

import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { client, offline } from "./load.mjs";
import { FakeServer, KeptRecords, until } from "./fake.mjs";

const { Callboard, CallboardError, EventParser, List, SparseList } = client;
const limit = 5000;

/** Runs with pauses of a thousandth, and a clock that is always past what somebody waits for. */
async function quickly(run) {
  const { random } = Math, { now } = Date;
  let time = now();
  Math.random = () => -0.998;
  Date.now = () => time += 60000;
  try {
    return await run();
  } finally {
    Math.random = random;
    Date.now = now;
  }
}

function parse({ chunks, expect }) {
  const parser = new EventParser();
  const events = chunks.flatMap((chunk, number) =>
    parser.push(Uint8Array.from(chunk, character => character.charCodeAt(0))).map(event => ({ ...event, chunk: number })));
  assert.deepEqual({ events, retry: parser.retry ?? null },
    { events: expect.events.map(({ event, data, chunk }) => ({ event, data, chunk })), retry: expect.retry });
}

const state = ({ epoch, version, sections, definition }) => {
  const { kind, properties, adapters, totals } = definition ?? {};
  return { epoch, version, sections, kind, properties, adapters, ...totals && { totals } };
};

function apply({ before, event, data, expect }) {
  const list = new List("d", undefined, () => {});
  if (before) assert.ok(list.receive("snapshot", before));
  const earlier = state(list), found = {};
  list.addEventListener("refresh", ({ elements }) => found.refreshed = elements?.map(({ at }) => at) ?? null);
  found.fits = list.receive(event, data);
  if (found.fits) found.list = state(list);
  else assert.deepEqual(state(list), earlier);
  assert.deepEqual(found, expect);
}

async function sparse({ snapshot, steps, expect }) {
  const waiting = [], loads = new Map(), asks = [];
  const list = new SparseList("d", {
    call: (_, path, { query }) => new Promise((resolve, reject) => waiting.push({ path, query, resolve, reject })),
  }, () => {});
  assert.ok(list.receive("snapshot", structuredClone(snapshot)));
  await quickly(async () => {
    for (const step of steps) {
      if (step.load) {
        list.load(step.section, step.from, step.end).catch(() => {});
        await turn();
        assert.ok(waiting.length < 2, "a load is one request");
        for (const request of waiting.splice(0)) {
          const { version, offset, limit } = request.query, section = +request.path.match(/^\/sections\/@(\d+)\/elements$/)[1];
          asks.push({ load: step.load, section, version, offset, limit });
          loads.set(step.load, request);
        }
      } else if (step.answer) loads.get(step.answer).resolve({ body: { elements: step.elements } });
      else if (step.fail) loads.get(step.fail).reject(new CallboardError({ status: 410 }));
      else assert.ok(list.receive("changeset", step.change));
      await turn();
    }
  });
  const sections = list.sections.map(({ elements, ...section }) => ({
    ...section, count: elements.length,
    known: Array.from({ length: elements.length }, (_, at) => [at, elements.at(at)]).filter(([, element]) => element),
  }));
  assert.deepEqual({ asks, version: list.version, sections }, expect);
}

/** What becomes of sections by the change of a vector, or an error where it does not apply. */
function changed(sections, change) {
  const result = sections.map(section => ({ ...section, elements: section.elements.slice() }));
  const put = ([section, at], element) => {
    assert.ok(result[section] && at <= result[section].elements.length);
    result[section].elements.splice(at, 0, element);
  };
  const name = change.remove ?? change.set ?? change.move;
  if (name === undefined) {
    put(change.insert, change.element);
    return result;
  }
  const section = result.findIndex(({ elements }) => elements.some(({ id }) => id === name));
  assert.ok(section >= 0, "it is gone");
  const at = result[section].elements.findIndex(({ id }) => id === name), [element] = result[section].elements.splice(at, 1);
  if (change.set) put([section, at], { ...element, value: change.value });
  if (change.move) put(change.to, element);
  return result;
}

async function overlay({ snapshot, steps, expect }) {
  const list = new List("d", undefined, () => {}), outcomes = new Map(), shown = [], rejected = [];
  assert.ok(list.receive("snapshot", snapshot));
  for (const step of steps) {
    if (step.show) {
      const outcome = {};
      outcome.promise = Object.assign(new Promise((resolve, reject) => Object.assign(outcome, { resolve, reject })), { cause: step.show });
      outcome.promise.catch(() => {});
      outcomes.set(step.show, outcome);
      try {
        list.optimistically(sections => changed(sections, step.change), outcome.promise);
      } catch {
        rejected.push(step.show);
      }
    } else if (step.confirm) outcomes.get(step.confirm).resolve({ version: step.version ?? undefined });
    else if (step.refuse) outcomes.get(step.refuse).reject(new Error("refused"));
    else if (step.publish) assert.ok(list.receive("changeset", step.publish));
    else assert.ok(list.receive("snapshot", step.snapshot));
    await turn();
    shown.push(list.shown.map(({ elements }) => elements.map(({ id, value }) => [id, value])));
  }
  assert.deepEqual({ shown, rejected }, expect);
}

/** An answer with a status, as a vector has it. */
function refusal({ status, type, problem }) {
  const body = [204, 304].includes(status) ? null : JSON.stringify(problem ? { type: problem, status } : {});
  return new Response(body, { status, headers: { "Content-Type": type } });
}

const frame = ([event, id, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n${id === null ? "" : `id: ${id}\n`}\n`;

/** Plays the server's side of one connection. */
async function connect(server, { lost, status, events, ends, tail = "", ...answer }) {
  const request = await server.next(limit);
  if (lost) request.reject(new TypeError("no network"));
  else if (status) request.resolve(refusal({ status, ...answer }));
  else {
    const stream = server.connection(request);
    if (events.length) stream.write(events.map(frame).join(""));
    if (tail) stream.write(tail);
    // What has not been read yet would be lost with the connection.
    await until(() => stream.isClosed || stream.controller.desiredSize > 0, "the stream's end", limit);
    await turn();
    if (ends !== "stays" && !stream.isClosed) stream[ends === "closes" ? "close" : "breakOff"]();
  }
  return { lastEventId: request.headers["Last-Event-ID"] ?? null };
}

async function resume({ connections, expect }) {
  const server = new FakeServer(), told = [], requests = [];
  const board = new Callboard({ url: "http://lists.test", fetch: server.fetch, share: false });
  try {
    await quickly(async () => {
      const list = board.follow("d");
      list.addEventListener("snapshot", ({ reset }) => told.push(["snapshot", reset ?? null]));
      list.addEventListener("change", () => told.push(["changeset", list.version]));
      list.addEventListener("resumed", () => told.push(["resumed", list.version]));
      list.addEventListener("end", ({ reason }) => told.push(["end", reason]));
      for (const type of ["mismatch", "refresh", "definition"]) list.addEventListener(type, () => told.push([type]));
      for (const connection of connections) requests.push(await connect(server, connection));
      await until(() => list.status === expect.status && told.length >= expect.told.length,
        `${expect.status} after ${JSON.stringify(told)}`, limit);
      await turn();
      const { epoch, version } = list, ids = list.sections.map(({ elements }) => elements.map(({ id }) => id));
      const shown = version < 0 ? null : { epoch, version, ids };
      assert.deepEqual({ requests, told, status: list.status, list: shown }, expect);
      assert.ok(server.requests.length === requests.length || list.status === "over", "nothing else is asked for");
    });
  } finally {
    board.close();
  }
}

/** Reports of a list, each a request of its own: a vector that needs a queue is for one. */
async function reportAlone({ steps, expect }) {
  const server = new FakeServer(), keys = [], open = new Map(), requests = [], refused = [];
  const board = new Callboard({ url: "http://lists.test", fetch: server.fetch });
  await quickly(async () => {
    for (const { add, to, event, limit: most, ...step } of steps) {
      if (add) {
        const { event: name, indexPath, version, parameters, ...place } = event;
        const list = new List(to, board.director(to), () => {}, most && new URLSearchParams({ limit: most }));
        assert.ok(list.receive("snapshot", { director: to, epoch: "e", version, sections: [] }));
        open.set(add, event);
        list.report(name, indexPath ?? place, parameters).catch(({ status }) => refused.push([add, status])).finally(() => open.delete(add));
        continue;
      }
      const request = await server.next(limit), key = request.headers["Idempotency-Key"];
      const [, path] = request.path.match(/^\/v1\/directors\/([^/]*)\/events$/);
      if (!keys.includes(key)) keys.push(key);
      const names = [...open].filter(([, event]) => written(event) === written(request.body)).map(([name]) => name);
      requests.push({ to: decodeURIComponent(path), reports: names, key: `k${keys.indexOf(key) + 1}`,
        ...request.query.has("limit") ? { limit: +request.query.get("limit") } : {} });
      if (step.lost) request.reject(new TypeError("no network"));
      else if (step.status) request.resolve(refusal(step));
      else request.resolve(Response.json(step.answer[0], { status: 202 }));
      await turn();
      await turn();
    }
    await until(() => open.size === expect.waiting.length, "the end of all reports", limit);
  });
  assert.deepEqual({ requests, refused, rejected: [], waiting: [...open.keys()] }, expect);
}

/** Reports of a queue. */
async function reportInOrder({ steps, expect, limit: most }) {
  const server = new FakeServer(), storage = new KeptRecords(), requests = [], keys = [], refused = [], rejected = [], events = new Map();
  const board = new Callboard({ url: "http://lists.test", fetch: server.fetch }), sent = new Map();
  const open = () => new offline.ReportQueue(board, {
    storage, limit: most, onRefused: ({ event, key }, { status }) => {
      assert.equal(named({ ...event, key }), sent.get(key));
      refused.push([sent.get(key), status]);
    },
  });
  /** The name of a report in a request: its event is whole, and its key is its own in all requests. */
  const named = ({ key, ...event }) => {
    if (!sent.has(key)) {
      const known = [...sent.values()];
      sent.set(key, [...events].find(([name, other]) => !known.includes(name) && written(other) === written(event))?.[0]);
    }
    assert.equal(written(event), written(events.get(sent.get(key))));
    return sent.get(key);
  };
  await quickly(async () => {
    let reports = open(), answered = 0;
    const read = ({ path, query, headers, body }) => {
      const key = headers["Idempotency-Key"], [, to] = path.match(/^\/v1\/directors\/([^/]*)\/events$/);
      if (!keys.includes(key)) keys.push(key);
      return { to: decodeURIComponent(to), reports: body.events.map(named), key: `k${keys.indexOf(key) + 1}`,
        ...query.has("limit") ? { limit: +query.get("limit") } : {} };
    };
    try {
      for (const { add, to, event, limit: most, ...step } of steps) {
        if (add) {
          events.set(add, event);
          const { kept } = reports.report(to, event, most ? { limit: most } : undefined);
          await kept.catch(() => (events.delete(add), rejected.push(add)));
        } else if (step.restart) {
          reports.close();
          reports = open();
          await reports.ready;
          answered = server.requests.length;
        } else {
          const request = server.requests[answered++];
          if (step.lost) request.reject(new TypeError("no network"));
          else if (step.status) request.resolve(refusal(step));
          else request.resolve(Response.json({ outcomes: step.answer }));
        }
        // What waits is under way before the next step.
        await until(() => server.requests.length > answered || !reports.waiting, "a request", limit);
        for (const request of server.requests.slice(requests.length)) requests.push(read(request));
      }
      const kept = storage.all().map(({ text }) => JSON.parse(text)).map(({ event, key }) => named({ ...event, key }));
      assert.equal(reports.waiting, kept.length);
      assert.deepEqual({ requests, refused, rejected, waiting: kept }, expect);
    } finally {
      reports.close();
    }
  });
}

async function report(vector) {
  await reportInOrder(vector);
  if (!vector.needs) await reportAlone(vector);
}

/** An event of a report, its members in an order of their own. */
const written = event => JSON.stringify(Object.entries(event).sort(([a], [b]) => a < b ? -1 : 1));

export const readers = { parse, apply, resume, sparse, overlay, report };
