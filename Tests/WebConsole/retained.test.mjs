/** Retained versions of a list, without a browser: `node --test Tests/WebConsole/retained.test.mjs`. */
import assert from "node:assert/strict";
import test from "node:test";
import { SparseElements } from "../../Sources/WebAssets/client/sparse.js";
import { apply } from "../../Sources/WebAssets/client/apply.js";
import { marksOf, oldestRetained, saidOf } from "../../Sources/WebAssets/console/retained.js";

test("the oldest retained version is found, wherever it is, with few questions", async () => {
  for (const [oldest, newest] of [[0, 0], [0, 57], [1, 57], [41, 57], [57, 57], [999_999, 1_000_000], [998_977, 1_000_000]]) {
    let asked = 0;
    assert.equal(await oldestRetained(async version => (asked++, version >= oldest), newest), oldest);
    assert.ok(asked <= 21, `${asked} questions`);
  }
  assert.equal(await oldestRetained(async version => version >= 41, 57, 40), 41);
  assert.equal(await oldestRetained(async () => false, 57, 57), 57);
});

const element = (id, value = null) => ({ id, value });
/** Moves c to the front, deletes a, changes b and inserts d before it, and inserts a section. */
const changeset = {
  stages: [
    { elementUpdated: [{ at: [0, 1], element: element("b", 1) }] }, { elementDeleted: [[0, 0]] },
    { sectionInserted: [{ at: 0, section: { id: "new", elements: [element("x")] } }] },
    { elementInserted: [{ at: [1, 1], element: element("d") }], elementMoved: [{ from: [1, 1], to: [1, 0] }] },
  ],
};
const marked = [[[0, 0], "was-inserted"], [[1, 2], "was-updated"], [[1, 1], "was-inserted"], [[1, 0], "was-moved"]];

test("what a version has changed is marked where it is afterwards", () => {
  const before = [{ id: "s", elements: ["a", "b", "c"].map(id => element(id)) }], after = apply(before, changeset);
  assert.deepEqual(after[1].elements.map(({ id }) => id), ["c", "d", "b"]);
  assert.deepEqual(marksOf(changeset, after), marked);
});

test("it is in a long list, too, of which no row is loaded", () => {
  const after = apply([{ id: "s", elements: new SparseElements(3) }], changeset);
  assert.equal(after[1].elements.length, 3);
  assert.deepEqual(marksOf(changeset, after), marked);
});

test("a moved row that has a new value is marked as moved; a value that no cell shows is not marked", () => {
  const before = [{ id: "s", elements: ["a", "b"].map(id => element(id)) }];
  const both = { stages: [{ elementUpdated: [{ at: [0, 1], element: element("b", 1) }] }, { elementMoved: [{ from: [0, 1], to: [0, 0] }] }],
    replaced: [{ at: [0, 1], element: element("a", 2) }] };
  assert.deepEqual(marksOf(both, apply(before, both)).at(-1), [[0, 0], "was-moved"]);
  assert.ok(!marksOf(both, apply(before, both)).some(([at]) => at[1] === 1));
});

test("of a version only what is known is said", () => {
  assert.deepEqual(saidOf({}), []);
  assert.deepEqual(saidOf({ causes: [], summary: "nothing changes" }), ["nothing changes"]);
  assert.deepEqual(saidOf({ causes: ["drag-17", "tap-1"], came: new Date(2026, 10, 28, 12, 3, 4), summary: "1 element moved" }),
    ["arrived 12:03:04", "caused by drag-17, tap-1", "1 element moved"]);
});
