import assert from "node:assert/strict";
import { test } from "node:test";
import { client } from "./support/load.mjs";
import { FakeServer } from "./support/fake.mjs";

const { CallboardNumber, parseJSON, stringifyJSON } = client;

const changed = ["653247040368672768", "-9007199254740993", "10.00", "1.0", "0.10", "1E400", "1e5", "-0", "-0.0", "0.0000001",
  "123456789012345678901234567890", "0.1234567890123456789", "1234567.123456789012", "1E+2", "12345678901234567", "1e-400"];
const kept = ["0", "1", "-1", "1.5", "-0.25", "9007199254740991", "123.456", "0.000001", "1234567890", "0.1", "1e-7", "5e-324"];

test("a number that a double would change keeps its text wherever it stands; any other is a number", () => {
  for (const place of ["@", "[@]", "[ @ ,1]", '{"a":@}', '{"a": @}', '{"a":[1,{"b":@}],"c":"x"}', "\n@\n"]) {
    for (const number of changed) {
      const text = place.replace("@", number), value = parseJSON(text);
      assert.equal(stringifyJSON(value), text.replaceAll(/\s/g, ""), text);
    }
    for (const number of kept) assert.deepEqual(parseJSON(place.replace("@", number)), JSON.parse(place.replace("@", number)));
  }
  for (const number of changed) {
    const value = parseJSON(number);
    assert.ok(value instanceof CallboardNumber && value instanceof Number);
    assert.equal(`${value}`, number);
    assert.ok(Object.is(+value, Number(number)));
  }
});

test("texts that look like numbers stay texts, and what is no JSON is refused", () => {
  const odd = { "10.00": ["10.00", "1E400", ' "-0", 1e5 ', "\\", "\\\"", ", 653247040368672768", "a\u2028b", "𝄞"], n: [1] };
  const text = JSON.stringify(odd).replace("[1]", "[1.0]");
  assert.equal(stringifyJSON(parseJSON(text)), text);
  assert.equal(stringifyJSON({ a: undefined, b: [undefined] }), '{"b":[null]}');
  assert.equal(stringifyJSON(undefined), undefined);
  for (const bad of ["01.00", "1.", "[1.0.0]", "-", "1e", "[10.00", '{"a":10.00}x', "+1.0", "--1.0", "[.10]", "1.00 1", '"10.00'])
    assert.throws(() => parseJSON(bad), SyntaxError, bad);
});

test("long texts and many numbers are read in one go", () => {
  const text = JSON.stringify(["x".repeat(8 << 20), '\\"'.repeat(1 << 20), Array(100_000).fill(1)]).replaceAll(",1", ",1.0");
  assert.equal(stringifyJSON(parseJSON(text)), text);
});

test("random numbers come back as they were", () => {
  // Not its shortest form: that of a small one has an exponent.
  const digits = () => Math.random().toFixed(20).slice(2, 2 + Math.random() * 20);
  for (let n = 0; n < 20000; n++) {
    const whole = Math.random() < 0.3 ? "0" : `${1 + Math.floor(Math.random() * 9)}${digits()}${Math.random() < 0.3 ? digits() : ""}`;
    const part = digits(), power = Math.random() < 0.3 ? `${"eE"[n % 2]}${["", "+", "-"][n % 3]}${n % 400}` : "";
    const number = `${Math.random() < 0.3 ? "-" : ""}${whole}${part && n % 3 ? `.${part}${"0".repeat(n % 4)}` : ""}${power}`;
    assert.equal(stringifyJSON(parseJSON(`[${number}]`)), `[${number}]`);
    assert.equal(`${parseJSON(`{"a":${number}}`).a}`, number);
  }
});

test("the digits go through a list, its values, and what is sent", async () => {
  const server = new FakeServer(), board = new client.Callboard({ url: "http://lists.test", fetch: server.fetch, share: false });
  const list = board.follow("a"), stream = await server.stream();
  stream.write('event: snapshot\ndata: {"director":"a","epoch":"e","version":1,"sections":[{"id":"s","elements":'
    + '[{"id":"1","value":{"id":653247040368672768,"price":10.00,"far":1E400}}]}]}\n\n');
  await list.ready;
  const { value } = list.sections[0].elements[0];
  assert.deepEqual([`${value.id}`, `${value.price}`, `${value.far}`], ["653247040368672768", "10.00", "1E400"]);
  list.director.section("s").patch("1", value);
  assert.match((await server.next()).init.body, /"patch":\{"id":653247040368672768,"price":10\.00,"far":1E400\}/);
  board.close();
});
