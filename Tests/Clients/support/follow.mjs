// Follows a list through the intermediary of support/intermediary.py once for each case, with the client's sources.
//
//     node follow.mjs CLIENT PROXY < CASES       each line is a case; the answers are lines of JSON
//
// Tells "live" when all that can be are, and, after a line on the input that names a version, what became of each case.

import { createInterface } from "node:readline";

const [folder, proxy] = process.argv.slice(2);
const { Callboard } = await import(new URL("client.js", folder));
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const line = async () => (await lines.next()).value;
const tell = message => process.stdout.write(`${JSON.stringify(message)}\n`);

/** Waits until something holds of every case; returns those of which it does not. */
async function until(cases, holds, limit = 40_000) {
  const end = performance.now() + limit;
  for (;;) {
    const rest = cases.filter(each => !holds(each));
    if (!rest.length || performance.now() > end) return rest;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

// A part of each pause is waited, whatever the server's own or the doubled one is.
Math.random = () => -0.98;
for (let heading; heading = await line();) {
  const { cases: names, begins } = JSON.parse(heading);
  const cases = names.map(name => {
    const board = new Callboard({ url: `${proxy}/${name}`, share: false });
    const list = board.follow("book"), told = [];
    list.addEventListener("status", () => told.push(list.status));
    list.ready.catch(() => {});
    return { name, board, list, told };
  });
  if (begins) tell({ missing: (await until(cases, ({ list }) => list.status === "live")).map(({ name }) => name) });
  for (const each of cases) each.before = each.told.length;
  tell({ began: cases.length });
  const version = Number(await line());
  const late = await until(cases, ({ list }) => list.status === "live" && list.version === version);
  tell({
    late: late.map(({ name, list, told }) => [name, list.status, list.version, told.join(" "), `${list.error}`]),
    told: Object.fromEntries(cases.map(({ name, told, before }) => [name, told.slice(before)])),
  });
  for (const { board } of cases) board.close();
}
process.exit(0);
