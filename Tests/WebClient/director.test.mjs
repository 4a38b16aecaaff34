import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { client } from "./support/load.mjs";
import { FakeServer } from "./support/fake.mjs";

let server, board, director;
const published = { director: "a/b", epoch: "k", from: 1, version: 2, stages: [], counts: {} };

beforeEach(() => {
  server = new FakeServer();
  board = new client.Callboard({ url: "http://lists.test/base/", fetch: server.fetch, share: false });
  director = board.director("a/b");
});
afterEach(() => board.close());

const section = () => director.section("AD");
for (const [call, operation] of [
  [() => section().patch("AD-07", { name: "x" }), { op: "patchElement", section: "AD", element: "AD-07", patch: { name: "x" } }],
  [() => section().set(3, { value: 1 }), { op: "setElement", section: "AD", element: "@3", value: { value: 1 } }],
  [() => section().delete("@last"), { op: "removeElement", section: "AD", element: "@last" }],
  [() => section().insert([{ value: 1 }]), { op: "addElements", section: "AD", elements: [{ value: 1 }] }],
  [() => section().insert([{ value: 1 }], { at: 0 }), { op: "addElements", section: "AD", elements: [{ value: 1 }], at: "@0" }],
  [() => section().move(2, 0), { op: "moveElement", section: "AD", from: "@2", to: 0 }],
  [() => section().move("x", 1, { toSection: 1 }), { op: "moveElement", section: "AD", from: "x", to: 1, toSection: "@1" }],
  [() => section().replace([]), { op: "setElements", section: "AD", elements: [] }],
  [() => section().update({ headerTitle: "t" }), { op: "patchSection", section: "AD", patch: { headerTitle: "t" } }],
  [() => director.section(0).remove(), { op: "removeSection", section: "@0" }],
  [() => director.insert([{ id: "s" }], { at: "t" }), { op: "addSections", sections: [{ id: "s" }], at: "t" }],
  [() => director.move(1, 0), { op: "moveSection", from: 1, to: 0 }],
]) {
  test(`${operation.op} is sent as an operation`, async () => {
    const result = call();
    const request = await server.answer({ name: "a/b", version: 1 }, { headers: { ETag: '"k-r5"' } });
    assert.equal(`${request.method} ${request.path}`, "POST /base/v1/directors/a%2Fb/operations");
    assert.deepEqual(request.body, { operations: [operation] });
    assert.deepEqual(await result, { version: undefined, revision: '"k-r5"', changeset: undefined });
  });
}

test("what publishes answers the version", async () => {
  const result = section().patch("x", {}, { reload: true, ifMatch: '"k-r4"', animations: { elementUpdated: "fade" } });
  const { body, headers } = await server.answer(published, { headers: { ETag: '"k-r5"' } });
  assert.deepEqual([body.reload, body.animations, headers["If-Match"]], [true, { elementUpdated: "fade" }, '"k-r4"']);
  assert.deepEqual(await result, { version: 2, revision: '"k-r5"', changeset: published });
  const dry = director.reload({ dryRun: true });
  assert.deepEqual((await server.answer(published)).body, { operations: [], dryRun: true, reload: true });
  assert.equal((await dry).version, undefined);
});

test("a batch is one request", async () => {
  const result = director.batch(batch => {
    batch.section("a").delete("x");
    batch.section("b").insert([{ value: 1 }]);
  }, { reload: true });
  const { body } = await server.answer(published);
  assert.deepEqual(body.operations.map(operation => operation.op), ["removeElement", "addElements"]);
  assert.equal((await result).version, 2);
  assert.equal(server.requests.length, 1);
});

test("a change whose answer is lost is sent again under the same key; another one has another", async () => {
  const result = section().delete("x");
  const first = await server.next();
  first.reject(new TypeError("reset"));
  await server.answer({ detail: "later" }, { status: 503 });
  const third = await server.answer({ name: "a/b" });
  await result;
  const keys = server.requests.map(request => request.headers["Idempotency-Key"]);
  assert.equal(new Set(keys).size, 1);
  assert.match(keys[0], /^[0-9a-f]{32}$/);
  assert.deepEqual(third.body, first.body);
  const other = section().delete("x");
  assert.notEqual((await server.answer({})).headers["Idempotency-Key"], keys[0]);
  await other;
  // So is any other POST.
  const event = director.call("POST", "/events", { body: {} });
  const sent = await server.next();
  sent.reject(new TypeError("reset"));
  const again = await server.answer({});
  await event;
  assert.match(sent.headers["Idempotency-Key"], /^[0-9a-f]{32}$/);
  assert.equal(again.headers["Idempotency-Key"], sent.headers["Idempotency-Key"]);
  // What may not be done twice is not sent twice.
  const patch = director.call("PATCH", "", { body: {} });
  (await server.next()).reject(new TypeError("reset"));
  await assert.rejects(patch, { status: 0 });
});

test("a revision is the server's own tag, whatever has compressed its answer on the way", async () => {
  for (const tag of ['"e-r12"', 'W/"e-r12"', '"e-r12-gzip"', 'W/"e-r12-br"']) {
    const result = director.call("GET", "");
    await server.answer({}, { headers: { ETag: tag } });
    assert.equal((await result).revision, '"e-r12"');
  }
});

test("a refusal is an error with the problem's members", async () => {
  const problem = {
    type: "urn:callboard:problem:not-found", title: "There is nothing", status: 404, detail: "Operation 0: no element",
    instance: "/v1/directors/a/operations", errors: [{ pointer: "/operations/0/element", detail: "no element" }],
  };
  const result = section().delete("x");
  await server.answer(problem, { status: 404 });
  await assert.rejects(result, error => {
    assert.ok(error instanceof client.CallboardError && error instanceof Error);
    const { type, title, status, detail, instance, errors } = error;
    assert.deepEqual({ type, title, status, detail, instance, errors }, problem);
    assert.equal(error.message, problem.detail);
    assert.equal(error.isTemporary, false);
    return true;
  });
});

test("of the server's own refusals those are final that trying again does not mend", () => {
  for (let status = 300; status < 600; status++) {
    const passes = [408, 425, 429].includes(status) || status >= 500 && ![501, 505].includes(status);
    for (const type of ["urn:callboard:problem:x", "about:blank", "https://x.example/404", undefined, 7]) {
      const error = new client.CallboardError({ type, status });
      assert.equal(error.isTemporary, passes || type !== "urn:callboard:problem:x", `${status} ${type}`);
    }
  }
});

test("an answer of something else than the server is an error too", async () => {
  const result = director.call("DELETE", "");
  (await server.next()).resolve(new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "Retry-After": "7" } }));
  await assert.rejects(result, { name: "CallboardError", status: 502, retryAfter: 7, isTemporary: true });
  const broken = director.call("DELETE", "");
  const cause = new TypeError("fetch failed");
  (await server.next()).reject(cause);
  await assert.rejects(broken, { name: "CallboardError", status: 0, cause });
});

test("a mutation names its cause where that is wished, and says it at once", async () => {
  const named = section().delete("x", { cause: "mine" });
  assert.equal(named.cause, "mine");
  const made = section().delete("x");
  assert.match(made.cause, /^[0-9a-f]{32}$/);
  const requests = [await server.answer({}), await server.answer({})];
  assert.deepEqual(requests.map(request => request.headers["Callboard-Cause"]), ["mine", made.cause]);
  await Promise.all([named, made]);
  const quiet = new client.Callboard({ url: "http://lists.test", fetch: server.fetch, causes: false });
  const silent = quiet.director("a").reload();
  assert.equal((await server.answer({})).headers["Callboard-Cause"], undefined);
  assert.equal((await silent, silent.cause), undefined);
});
