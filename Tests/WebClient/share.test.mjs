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
