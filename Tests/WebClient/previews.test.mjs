import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";

// What the list's element and the console have in common is in no served file by itself.
const sources = new URL("../../Sources/WebAssets/client/previews.js", import.meta.url);
const given = process.env.CALLBOARD_CLIENT && new URL("previews.js", process.env.CALLBOARD_CLIENT);
const { filled, isPicture, line, partsOf } = await import(given && existsSync(given) ? given : sources);

const parts = (element, preview) => partsOf({ id: "x", ...element }, preview, JSON.stringify);
const shown = (value, more) => {
  const { title, subtitle } = parts({ value, ...more });
  return [title, subtitle];
};

test("a template takes members and pointers, and is empty where one is not there", () => {
  const value = { name: "Ada", size: 0, isNew: false, number: new Number(7), nothing: null, price: { "a/b": 1, "~": 2 }, all: [3] };
  for (const [template, text] of [
    ["{name} is {size}", "Ada is 0"], ["{isNew}", "false"], ["{number}", "7"], ["{/price/a~1b}{/price/~0}{/all/0}", "123"], ["plain", "plain"], ["", ""],
    ["{nothing}", ""], ["{price}", ""], ["{name} {missing}", ""], ["{/price/b}", ""], ["{toString}", ""], ["{/constructor/name}", ""], ["{/name/constructor}", ""],
  ]) assert.equal(filled(template, value), text, template);
  for (const value of [null, undefined, "text", 5, []]) assert.equal(filled("{name}", value), "");
});

test("a preview says what each part is; only a title that is not there is guessed", () => {
  const preview = { title: "{title}", subtitle: "{name}, {age}", image: "{picture}", badge: "new" };
  assert.deepEqual(parts({ value: { name: "Ada", age: 36, picture: "A" } }, preview),
    { title: "Ada", subtitle: "Ada, 36", image: "A", badge: "new", trailing: "" });
  assert.deepEqual(parts({ value: { name: "Ada", note: "long" } }, { title: "{name}!" }),
    { title: "Ada!", subtitle: "", image: "", badge: "", trailing: "" });
});

test("without a preview the likeliest member is the title, and the rest of the value stands below", () => {
  assert.deepEqual(shown({ age: 36, name: "Ada", id: "x", note: "long" }), ["Ada", "age 36 · long"]);
  assert.deepEqual(shown({ title: "", label: 0, name: true }), ["0", "title  · name true"]);
  assert.deepEqual(shown({ a: [1], colour: "red" }), ["red", "a [1]"]);
  assert.deepEqual(shown({ a: 1 }), ['{"a":1}', ""]);
  assert.deepEqual(shown([1, 2]), ["[1,2]", ""]);
  assert.deepEqual(shown("text"), ["text", ""]);
  assert.deepEqual(shown(new Number(7)), ["7", ""]);
  assert.deepEqual(shown(null), ["x", ""]);
  assert.deepEqual(shown(undefined, { row: "row", cell: "Cell", config: { colour: "red", sizes: [1] } }), ["Cell", "colour: red · sizes: [1]"]);
  assert.equal(shown({ name: "n", note: "x".repeat(90) })[1], `${"x".repeat(80)}…`);
  assert.equal(line("y".repeat(500), JSON.stringify, 400).length, 401);
});

test("a picture is of the page's own origin or in the value, never of another host", () => {
  for (const image of ["/a.png", "data:image/png;base64,AA"]) assert.ok(isPicture(image), image);
  for (const image of ["//host/a.png", "https://host/a.png", "a.png", "javascript:alert(1)", "data:text/html,x", "🍲", ""]) assert.ok(!isPicture(image), image);
});
