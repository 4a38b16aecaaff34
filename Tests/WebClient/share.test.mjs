import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { client } from "./support/load.mjs";
import { FakeServer, addition, snapshot, until } from "./support/fake.mjs";
import { Locks } from "./support/locks.mjs";

let server, boards;
const navigator = Object.getOwnPropertyDescriptor(globalThis, "navigator");

beforeEach(() => {
  server = new FakeServer();
  boards = [];
  Object.defineProperty(globalThis, "navigator", { value: { locks: new Locks() }, configurable: true });
});
afterEach(() => {
  for (const board of boards) board.close();
  if (navigator) Object.defineProperty(globalThis, "navigator", navigator);
  else delete globalThis.navigator;
});

/** A page that follows a list, and what the list tells of it. */
function page(director = "a") {
  const board = new client.Callboard({ url: "http://lists.test", fetch: server.fetch, share: "pages" });
  boards.push(board);
  const list = board.follow(director);
  const told = [];
  for (const type of ["snapshot", "change"]) list.addEventListener(type, () => told.push(`${type} ${list.version}`));
  return { board, list, told };
}

test("a page without the stream is given the list that the holder has, and what comes after it", async () => {
  const first = page();
  const stream = await server.stream();
  stream.send("snapshot", snapshot("a", 1));
  stream.send("changeset", addition("a", 1, 2));
  await until(() => first.list.version === 2);
  const second = page();
  await until(() => second.list.version === 2);
  stream.send("changeset", addition("a", 2, 3));
  await until(() => second.list.version === 3);
  assert.deepEqual(second.told, ["snapshot 2", "change 3"]);
  assert.deepEqual(second.list.sections, first.list.sections);
  assert.equal(server.requests.length, 1);
});

test("a page that asks for a list whose snapshot is on its way to it shows it once", async () => {
  const first = page();
  await server.stream();
  const second = page("b");
  const stream = await server.stream();
  stream.send("snapshot", snapshot("b", 1));
  await until(() => second.list.version === 1);
  const told = [];
  // The holder has passed the snapshot on, and neither page has read what the other one has sent.
  first.list.addEventListener("snapshot", () => {
    const list = second.board.follow("a");
    for (const type of ["snapshot", "change"]) list.addEventListener(type, () => told.push(`${type} ${list.version}`));
  });
  stream.send("snapshot", snapshot("a", 1));
  await until(() => told.length);
  stream.send("changeset", addition("a", 1, 2));
  await until(() => told.includes("change 2"));
  assert.deepEqual(told, ["snapshot 1", "change 2"]);
});

test("a page goes on where it is when the holder leaves", async () => {
  const first = page();
  const stream = await server.stream();
  stream.send("snapshot", snapshot("a", 1));
  const second = page();
  await until(() => second.list.version === 1);
  const third = page();
  await until(() => third.list.version === 1);
  first.board.close();
  const next = await server.stream();
  assert.equal(next.request.headers["Last-Event-ID"], "life-a-1");
  next.send("resumed", { director: "a", from: 1, version: 1 });
  next.send("changeset", addition("a", 1, 2));
  await until(() => second.list.version === 2 && third.list.version === 2);
  assert.deepEqual([second.told, third.told], [["snapshot 1", "change 2"], ["snapshot 1", "change 2"]]);
});

test("the next holder keeps what the other pages follow", async () => {
  page();
  await server.stream();
  const second = page("b");
  let stream = await server.stream();
  stream.send("snapshot", snapshot("b", 1));
  await until(() => second.list.version === 1);
  const third = page("c");
  stream = await server.stream();
  stream.send("snapshot", snapshot("c", 1));
  await until(() => third.list.version === 1);
  boards[0].close();
  await until(() => server.requests.at(-1).query.getAll("director").join() === "b,c");
});

const gone = { type: "urn:callboard:problem:not-found", status: 404, title: "Nothing", detail: "There is no director" };

test("a page that follows what is not there hears it from the holder, which follows another list", async () => {
  const first = page();
  let stream = await server.stream();
  stream.send("snapshot", snapshot("a", 1));
  await until(() => first.list.version === 1);
  for (let n = 0; n < 2; n++) {
    const next = page("gone");
    stream = await server.stream();
    // Of one of several directors that is not there, a server says so in the stream.
    stream.send("resumed", { director: "a", from: 1, version: 1 });
    stream.send("end", { director: "gone", reason: "deleted" });
    await until(() => next.list.status === "over");
    await assert.rejects(next.list.ready, { status: 404 });
    assert.equal(first.list.status, "live");
  }
});

test("a page hears why a list failed, where the holder follows it too, and where the refusal came before the page", async () => {
  const first = page("gone");
  await server.answer(gone, { status: 404 });
  await until(() => first.list.status === "failed");
  const second = page("gone");
  await server.answer(gone, { status: 404 });
  await until(() => second.list.status === "failed");
  const { type, status, detail, isTemporary } = second.list.error;
  assert.deepEqual({ type, status, detail, isTemporary },
    { type: gone.type, status: 404, detail: gone.detail, isTemporary: false });
});

const lock = "callboard 2 http://lists.test false pages ";

test("a page takes the stream from a holder that does not answer", async () => {
  // As a page holds it that the browser has frozen.
  let isTaken = false;
  globalThis.navigator.locks.request(lock, {}, () => new Promise(() => {})).catch(() => isTaken = true);
  const { list } = page();
  const began = performance.now();
  const stream = await server.stream();
  assert.ok(isTaken && performance.now() - began < 10000, `${performance.now() - began} ms`);
  stream.send("snapshot", snapshot("a", 1));
  await until(() => list.status === "live" && list.version === 1 && !list.isStale);
});

test("a holder that answers keeps the stream, however little comes", async () => {
  const first = page();
  const stream = await server.stream();
  stream.send("snapshot", snapshot("a", 1));
  await until(() => first.list.version === 1);
  const second = page();
  await until(() => second.list.version === 1);
  await new Promise(resolve => setTimeout(resolve, 8500));
  assert.deepEqual([server.requests.length, stream.isClosed, second.list.status, second.list.isStale], [1, false, "live", false]);
});

test("a page whose stream was taken closes it, and is given what it has missed by the one that has it", async () => {
  const first = page();
  const stream = await server.stream();
  stream.send("snapshot", snapshot("a", 1));
  await until(() => first.list.version === 1);
  const channel = new BroadcastChannel(lock.slice(0, -1)), asked = [];
  channel.onmessage = ({ data }) => asked.push(data);
  const say = (type, more) => channel.postMessage({ type, from: "other", leads: true, ...more });
  try {
    await new Promise(resolve => void globalThis.navigator.locks.request(lock, { steal: true }, () => (resolve(), new Promise(() => {}))));
    say("lead");
    await until(() => stream.isClosed && asked.some(({ type, lists }) => type === "want" && `${lists}` === "a,"));
    assert.ok(first.list.isStale);
    say("list", { to: asked.find(({ type }) => type === "want").from, name: "a", text: JSON.stringify(snapshot("a", 5, ["z"])) });
    say("event", { event: "changeset", text: JSON.stringify(addition("a", 5, 1)) });
    // What another page says that has lost the stream without knowing changes nothing.
    channel.postMessage({ type: "event", from: "earlier", leads: true, event: "snapshot", text: JSON.stringify(snapshot("a", 2)) });
    await until(() => first.list.version === 6);
    say("status", { status: "live" });
    await until(() => !first.list.isStale);
    assert.deepEqual(first.told, ["snapshot 1", "snapshot 5", "change 6"]);
    assert.equal(server.requests.length, 1);
  } finally {
    channel.close();
  }
});
