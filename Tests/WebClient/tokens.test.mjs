import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { client } from "./support/load.mjs";
import { FakeServer, snapshot, until } from "./support/fake.mjs";

let server, board;
const open = options => board = new client.Callboard({ url: "http://lists.test", fetch: server.fetch, share: false, ...options });
const bearer = request => request.headers.Authorization;
const refusal = { type: "urn:callboard:problem:unauthorized", status: 401, title: "Not who it should be" };

/** A token that ends so many milliseconds from now. */
function jwt(milliseconds) {
  const part = value => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ exp: (Date.now() + milliseconds) / 1000, "ÿ?>": "ÿ" })}.x`;
}

beforeEach(() => { server = new FakeServer(); });
afterEach(() => board.close());

test("a fixed token goes with every request, and a refusal of it is final", async () => {
  const list = open({ token: "cbt_1" }).follow("a");
  assert.equal(bearer(await server.answer(refusal, { status: 401 })), "Bearer cbt_1");
  await assert.rejects(list.ready, { status: 401, title: "Not who it should be" });
  assert.equal(server.requests.length, 1);
});

test("a token that is refused is asked for again, once, by requests that wait together", async () => {
  let calls = 0;
  open({ token: async () => `t${++calls}` });
  const [one, two] = [board.director("a").read(), board.director("b").read()];
  await server.answer(refusal, { status: 401 });
  await server.answer(refusal, { status: 401 });
  assert.equal(bearer(await server.answer({})), "Bearer t2");
  assert.equal(bearer(await server.answer({})), "Bearer t2");
  assert.deepEqual([await one, await two, calls], [{}, {}, 2]);
  const third = board.director("c").read();
  await server.answer(refusal, { status: 401 });
  await server.answer(refusal, { status: 401 });
  await assert.rejects(third, { status: 401 });
});

test("a stream goes on with a new token before the old one ends", async () => {
  const given = [];
  const list = open({ token: () => given[given.push(jwt(given.length ? 1e6 : 5000)) - 1] }).follow("a");
  let stream = await server.stream();
  stream.send("snapshot", snapshot("a", 4));
  await list.ready;
  const next = await server.stream();
  assert.equal(given.length, 2);
  assert.deepEqual([bearer(stream.request), bearer(next.request)], given.map(token => `Bearer ${token}`));
  const passed = next.request.at - stream.request.at;
  assert.ok(passed > 3900 && passed < 5000, `a fifth before its end, and not within a second: ${passed}`);
  assert.equal(next.request.headers["Last-Event-ID"], "life-a-4");
  assert.ok(stream.isClosed);
});

test("a stream that the server ends because of its token comes back with another one, ever more slowly", async () => {
  let calls = 0;
  const list = open({ token: () => `t${++calls}` }).follow("a");
  let stream = await server.stream();
  stream.retry(400);
  stream.send("snapshot", snapshot("a", 4));
  await list.ready;
  stream.send("end", { reason: "revoked" });
  stream = await server.stream();
  assert.equal(bearer(stream.request), "Bearer t2");
  stream.send("end", { reason: "revoked" });
  const began = performance.now();
  stream = await server.stream();
  assert.ok(performance.now() - began > 190, "half of 400 ms at least");
  assert.equal(bearer(stream.request), "Bearer t3");
  stream.send("heartbeat", { versions: { a: 4 } });
  stream.send("end", { reason: "expired" });
  assert.equal(bearer((await server.stream()).request), "Bearer t4");
});

for (const [reason, status] of [["revoked", 401], ["forbidden", 403]]) {
  test(`without another token, a stream that ends as ${reason} is over`, async () => {
    const list = open({ token: "cbt_1" }).follow("a"), stream = await server.stream();
    stream.send("snapshot", snapshot("a", 4));
    await list.ready;
    stream.send("end", { reason });
    await until(() => list.status === "failed");
    assert.equal(list.error.status, status);
    assert.equal(list.version, 4);
    assert.equal(server.requests.length, 1);
  });
}

test("a list that may not be read any more says so, and the others of its stream go on", async () => {
  open({ token: "cbt_1" });
  const [a, b] = ["a", "b"].map(name => board.follow(name)), stream = await server.stream();
  for (const name of ["a", "b"]) stream.send("snapshot", snapshot(name, 4));
  await Promise.all([a.ready, b.ready]);
  stream.send("end", { director: "a", reason: "forbidden" });
  await until(() => a.status === "failed");
  assert.equal(a.error.status, 403);
  assert.equal(a.version, 4);
  assert.equal(b.status, "live");
  assert.equal(server.requests.length, 1);
});

test("a function that fails is asked again, and the list says why it waits", async () => {
  let calls = 0;
  const list = open({ token: async () => { if (++calls < 2) throw new Error("no network"); return "t"; } }).follow("a");
  await until(() => list.status === "waiting");
  const stream = await server.stream();
  stream.send("snapshot", snapshot("a", 4));
  await list.ready;
  assert.equal(bearer(stream.request), "Bearer t");
});
