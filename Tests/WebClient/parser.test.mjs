import assert from "node:assert/strict";
import { test } from "node:test";
import { client } from "./support/load.mjs";

const { EventParser } = client;
const bytes = text => new TextEncoder().encode(text);

const stream = "\uFEFFretry: 250\r\n: a comment\n\nevent: snapshot\ndata: {\"a\":\rdata: \"Zoë 🎈\"}\nid: x-1\n\n"
  + "event: nothing\n\ndata\r\ndata:  two\r\n\r\nid: only\n\ndata: last\r\rretry: soon\nretry: 77\n\ndata: never ended\n";
const events = [
  { event: "snapshot", data: '{"a":\n"Zoë 🎈"}' }, { event: "message", data: "\n two" }, { event: "message", data: "last" },
];

function read(pieces, parser = new EventParser()) {
  return { events: pieces.flatMap(piece => parser.push(piece)), retry: parser.retry };
}

test("a stream that is cut at every byte gives the same events", () => {
  const all = bytes(stream);
  assert.deepEqual(read([all]), { events, retry: 77 });
  for (let at = 0; at <= all.length; at++) {
    assert.deepEqual(read([all.subarray(0, at), all.subarray(at)]), { events, retry: 77 }, `cut at ${at}`);
  }
  assert.deepEqual(read([...all].map(byte => Uint8Array.of(byte))), { events, retry: 77 });
});

test("an event comes with the byte that ends it, and not before", () => {
  for (const end of ["\n\n", "\r\r", "\r\n\r\n"]) {
    const parser = new EventParser(), all = bytes(`data: 1${end}`);
    const before = end === "\r\n\r\n" ? all.length - 2 : all.length - 1;
    assert.deepEqual(parser.push(all.subarray(0, before)), []);
    assert.equal(parser.push(all.subarray(before)).length, 1);
  }
});

test("a long event in many pieces is read in time that grows with its length", () => {
  const piece = bytes("x".repeat(1 << 16)), parser = new EventParser();
  const began = performance.now();
  parser.push(bytes("data: "));
  for (let n = 0; n < 1000; n++) parser.push(piece);
  assert.equal(parser.push(bytes("\n\n"))[0].data.length, 1000 << 16);
  assert.ok(performance.now() - began < 5000);
});

test("what is over the limit is refused", () => {
  assert.throws(() => new EventParser(100).push(bytes(`data: ${"x".repeat(101)}`)), { name: "CallboardError" });
  const parser = new EventParser(100);
  assert.throws(() => { for (let n = 0; n < 20; n++) parser.push(bytes("data: 0123456789\n")); }, { name: "CallboardError" });
  const quiet = new EventParser(100);
  for (let n = 0; n < 100; n++) quiet.push(bytes(": a comment\nid: 1\ndata: 1\n\n"));
});
