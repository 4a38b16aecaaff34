// The vectors that all clients share, read with this one: Tests/Vectors, and the page WritingAClient.md of CallboardClient.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readers } from "./support/vectors.mjs";

/** What this client has not got, by the kind of vector; a vector that needs it is left out. */
const lacks = {
  parse: { ids: "the parser gives no ids: a list's own epoch and version say where it goes on" },
  apply: {},
  resume: {},
  sparse: { "any-span": "rows are loaded in pages of a hundred" },
  overlay: {},
  report: {},
};

const vectors = kind => readFileSync(new URL(`../Vectors/${kind}.jsonl`, import.meta.url), "utf8")
  .trim().split("\n").map(line => JSON.parse(line));

for (const [kind, read] of Object.entries(readers)) {
  test(`the vectors of ${kind}`, async () => {
    const all = vectors(kind), names = Object.keys(lacks[kind]), failed = [];
    const known = all.filter(({ needs = [] }) => !needs.some(need => names.includes(need)));
    for (const vector of known) {
      try {
        await read(vector);
      } catch (error) {
        // A fault makes many fail, of which some have to be waited for.
        if (failed.push(`${vector.name}: ${error.message}`) === 5) break;
      }
    }
    for (const name of names) assert.ok(all.some(({ needs = [] }) => needs.includes(name)), `no vector needs ${name} any more`);
    const missing = names.map(name => `${name} (${lacks[kind][name]})`).join(", ");
    console.log(`${kind}: ${known.length} of ${all.length} vectors; left out: ${missing || "none"}`);
    assert.deepEqual(failed, []);
    assert.ok(known.length >= 70);
  });
}

test("a vector that expects something else is found, of each kind", async () => {
  const spoil = {
    parse: expect => expect.retry = -1, apply: expect => expect.fits = !expect.fits,
    resume: expect => expect.requests[0].lastEventId = "x", sparse: expect => expect.version++,
    overlay: expect => expect.shown.push([]), report: expect => expect.requests[0].reports.push("x"),
  };
  for (const [kind, read] of Object.entries(readers)) {
    const vector = vectors(kind)[0];
    await read(vector);
    spoil[kind](vector.expect);
    await assert.rejects(async () => read(vector), assert.AssertionError, kind);
  }
});
