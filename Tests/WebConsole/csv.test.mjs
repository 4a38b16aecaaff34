/** What the console makes of CSV, without a browser: `node --test Tests/WebConsole/csv.test.mjs`. */
import assert from "node:assert/strict";
import test from "node:test";
import { readCSV } from "../../Sources/WebAssets/console/csv.js";

test("records are the lines below the heading, all values texts", () => {
  assert.deepEqual(readCSV("id,name\n1,Ada\n2,Alan\n"), [{ id: "1", name: "Ada" }, { id: "2", name: "Alan" }]);
  assert.deepEqual(readCSV("\ufeffid;name\r\n1;a,b\r\n\r\n"), [{ id: "1", name: "a,b" }]);
  assert.deepEqual(readCSV("id\tname\n1\t"), [{ id: "1", name: "" }]);
  assert.deepEqual(readCSV("id\n"), []);
});

test("quoted values hold delimiters, quotes and line ends", () => {
  assert.deepEqual(readCSV('id,name\n1,"a ""b"", c"\n2,"two\r\nlines"\n3,""\n'),
    [{ id: "1", name: 'a "b", c' }, { id: "2", name: "two\r\nlines" }, { id: "3", name: "" }]);
});

test("what is wrong is said with its line", () => {
  assert.throws(() => readCSV(""), /empty/);
  assert.throws(() => readCSV("a,a\n"), /Two columns of the heading are called “a”/);
  assert.throws(() => readCSV("a,\n1,2"), /Column 2 of the heading has no name/);
  assert.throws(() => readCSV('a,b\n"x\ny",1\n2\n'), /Line 4 has 1 value, and the heading 2/);
  assert.throws(() => readCSV('a\n"x'), /line 2 is never closed/);
  assert.throws(() => readCSV('a\n"x"y\n'), /Line 2: something follows/);
});

test("columns may have any name", () => {
  const [record] = readCSV("__proto__,constructor\nx,y\n");
  assert.deepEqual(Object.entries(record), [["__proto__", "x"], ["constructor", "y"]]);
});
