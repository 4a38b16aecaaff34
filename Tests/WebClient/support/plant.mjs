// Plants faults into copies of the client and says which tests catch each; ends with 1 where one is not caught.
//
//     node Tests/WebClient/support/plant.mjs [TESTS]      (such as `offline`; those of all modules, when none are named)

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const sources = fileURLToPath(new URL("../../../Sources/WebAssets/client/", import.meta.url));

/** The tests that are to catch it, the module, what stands in it, and what stands there instead. */
const faults = [
  ["parser", "parser.js", "this.#skipsLineFeed = end[0]", "this.#skipsLineFeed = false && end[0]"],
  ["parser", "parser.js", "if (value[0] === \" \")", "if (false)"],
  ["parser", "parser.js", "decode(bytes, { stream: true })", "decode(bytes)"],
  ["parser", "parser.js", "this.#data.join(\"\\n\")", "this.#data.join(\"\")"],
  ["parser", "parser.js", "      this.#size = 0;\n", ""],
  ["apply", "apply.js", "result = applyStage(result, stage, adopt);", "if (kind !== 1) result = applyStage(result, stage, adopt);"],
  ["apply", "apply.js", "[...indexes].reverse()", "indexes"],
  ["apply", "apply.js", "index !== indexes[n] ||", "index !== indexes[n] + 1 ||"],
  ["apply", "apply.js", "element: elementAt(sections, from)", "element: elementAt(sections, [from[0], Math.max(from[1] - 1, 0)])"],
  ["apply", "apply.js", "sort((a, b) => a.at[1] - b.at[1])", "slice()"],
  ["apply", "apply.js", "  replace(result, changeset.replaced ?? [], true);\n", ""],
  ["apply", "apply.js", "counts.sections === sections.length && counts.elements === elements", "true"],
  ["apply", "apply.js", "elements: sections[at].elements };", "elements: [] };"],
  ["apply", "apply.js", "require(isSame,", "require(true,"],
  ["apply", "apply.js", "require(!sectionDeleted.includes(section)", "require(true"],
  ["apply", "apply.js", "let result = sections.slice()", "let result = sections"],
  ["apply", "sparse.js", "if (shift) for", "if (shift > 0) for"],
  ["stream", "hub.js", "filter(Boolean).join(\".\")", "filter(Boolean)[0] ?? \"\""],
  ["stream", "hub.js", "if (!fits) this.#mend(name);", "if (!fits) continue;"],
  ["stream", "hub.js", "else if (--entry.uses === 0)", "else if ((entry.uses = 0) === 0)"],
  ["stream", "stream.js", "retry ?? this.#retry", "1000"],
  ["stream", "stream.js", "    this.#failures++;\n", ""],
  ["stream", "stream.js", "      listen();\n          this", "      this"],
  ["stream", "stream.js", "(problem.retryAfter ?? 0) * 1000", "0"],
  ["stream", "stream.js", "this.#misses &&= 1;", "this.#misses &&= 2;"],
  ["stream", "list.js", "if (position && epoch === this.epoch && version <= this.version) return;", ""],
  ["stream", "list.js", "require(position === `${epoch}-${from}`", "require(true"],
  ["stream", "list.js", "require(data.version <= this.version", "require(true"],
  ["stream", "sources.js", "\"Last-Event-ID\": position || undefined", "\"Last-Event-ID\": undefined"],
  ["share", "share.js", "if (list?.position !== `${snapshot.epoch}-${snapshot.version}`) ", ""],
  ["share", "share.js", "list.position && list.position !== position", "false"],
  ["share", "share.js", "      this.tell(\"lead\");\n", ""],
  ["share", "share.js", "this.#seek(true)", "this.#seek()"],
  ["share", "share.js", "from !== (this.#holder ||= from)", "false"],
  ["share", "share.js", "        this.#hub.tellStatus();\n      }\n      return;", "      }\n      return;"],
  ["share", "hub.js", " && event !== \"end\"", ""],
  ["share", "hub.js", "{ type, title, status, detail } });", "{ status, detail } });"],
  ["stream", "stream.js", "this.#listen(events);", ""],
  ["tokens", "tokens.js", "this.#held.text !== refused", "true"],
  ["tokens", "tokens.js", "this.#call ??= ", "this.#call = "],
  ["tokens", "stream.js", "renewal < 2 ** 31 ?", "false ?"],
  ["tokens", "stream.js", "this.#refused = token;", ""],
  ["tokens", "stream.js", "this.#refusals++ === 0", "true"],
  ["list", "list.js", "    this.#state = undefined;\n", ""],
  ["list", "list.js", "changeset.causes);", ");"],
  ["list", "overlays.js", "}, () => this.#drop(overlay));", "});"],
  ["list", "overlays.js", "if (!isAhead(overlay, list)) this.#drop(overlay);", ""],
  ["list", "overlays.js", "overlay.version = result?.version ?? list.version + 1;", "overlay.version = 0;"],
  ["director", "transport.js", "\"Idempotency-Key\": identifier(), ", ""],
  ["director", "transport.js", "[\"GET\", \"PUT\", \"POST\"].includes(method)", "true"],
  ["director", "director.js", "idempotencyKey = identifier()", "idempotencyKey = \"same\""],
  ["director", "director.js", "encodeURIComponent(this.name)", "this.name"],
  ["director", "errors.js", "status: response.status }, { retryAfter }", "status: response.status }"],
  ["previews", "previews.js", "return isWhole ? text : \"\";", "return text;"],
  ["previews", "previews.js", "token.replaceAll(\"~1\", \"/\")", "token"],
  ["previews", "previews.js", "Object.hasOwn(Object(found), name) ?", "found ?"],
  ["previews", "previews.js", "name === \"title\" ? parts.title : \"\"", "parts[name]"],
  ["previews", "previews.js", " && `${value[name]}` !== \"\"", ""],
  ["previews", "previews.js", " && `${each}` !== id", ""],
  ["previews", "previews.js", "\\/(?!\\/)", "\\/"],
  ["offline", "report-queue.js", "a.id < b.id ? -1 : 1", "a.id < b.id ? 1 : -1"],
  ["offline", "report-queue.js", "director !== first.director || query !== first.query", "director !== first.director"],
  ["offline", "report-queue.js", "[failures, key, batch] = [0, identifier(), this.#next()];", "[failures, batch] = [0, this.#next()];"],
  ["offline", "report-queue.js", "await this.#wait(failures++, error);", "[key, batch] = [identifier(), this.#next()];"],
  ["offline", "report-queue.js", "2 ** failures", "1"],
  ["offline", "report-queue.js", " && error.status !== 401", ""],
  ["offline", "report-queue.js", "if (size >= this.#limit)", "if (size > this.#limit)"],
  ["offline", "report-queue.js", "    this.#tell({ settled });\n", ""],
  ["offline", "report-queue.js", "      this.#tell({ added: record });\n", ""],
  ["offline", "report-queue.js", "    await this.#records.remove(settled.map(([id]) => id));\n", ""],
  ["offline", "report-queue.js", "    await this.#do(() => this.#load());\n    this.#findLost", "    this.#findLost"],
  ["offline", "report-records.js", "this.#last + 1", "0"],
  ["offline", "report-records.js", "id: aside + record.id", "id: record.id"],
  ["offline", "report-records.js", "    const report = this.read(record);\n    try {\n      await this.#storage.put(record);",
    "    try {\n      await this.#storage.put(record);\n      var report = this.read(record);"],
  ["offline", "list-store.js", "from: snapshot && {", "from: false && {"],
  ["offline", "list-store.js", "if (now.every((member, number) => member === kept[number])) return;", ""],
  ["offline", "list-store.js", "document.hidden && write()", "undefined"],
  ["offline", "list-store.js", "if (isSnapshot(snapshot)) return snapshot;", "return snapshot;"],
  ["offline", "list-store.js", "    await storage.remove(id);\n    throw", "    throw"],
  ["offline", "list-store.js", "![403, 404].includes", "![401, 403, 404].includes"],
];

let missed = 0, planted = 0;
for (const [tests, module, before, after] of faults) {
  if (process.argv[2] && process.argv[2] !== tests) continue;
  planted++;
  const folder = mkdtempSync(join(tmpdir(), "callboard-fault-"));
  cpSync(sources, folder, { recursive: true });
  const text = readFileSync(join(folder, module), "utf8");
  if (!text.includes(before)) throw new Error(`${module} has no ${before}`);
  writeFileSync(join(folder, module), text.replace(before, after));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  const done = spawnSync(process.execPath, ["--test", join(here, `${tests}.test.mjs`)], {
    env: { ...process.env, CALLBOARD_CLIENT: `${pathToFileURL(folder)}/`, CALLBOARD_SEED: "1" }, encoding: "utf8", timeout: 60000,
  });
  const caught = [...done.stdout.matchAll(/^not ok \d+ - (.*)$/gm)].map(found => found[1]);
  // A test that waits for what never comes does not pass either.
  if (done.error?.code === "ETIMEDOUT") caught.push("a test that does not end");
  if (!caught.length) missed++;
  console.log(`${caught.length ? `caught by ${caught.length}` : "NOT CAUGHT"}  ${module}: ${before.trim()} -> ${after.trim()}`);
  rmSync(folder, { recursive: true });
}
console.log(`${planted - missed} of ${planted} faults caught`);
process.exitCode = missed ? 1 : 0;
