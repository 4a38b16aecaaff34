/**
 * Loading a file into a list: an array of values, lines of JSON or comma-separated values become one section; an object with
 * `sections` (as reading them answers), and perhaps `kind`, `properties`, `adapters` and `variables`, becomes all that the list
 * holds.
 */
import { curl } from "./api.js";
import { busy, command, field, problemLine, select, show } from "./action.js";
import { address, announce, copyButton, count, fill, h, text, unique } from "./dom.js";
import { readCSV } from "./csv.js";
import { parse, write } from "./json.js";
import { directorPath } from "./places.js";
import { summaryOf } from "./changes.js";

/** Asks how a file is to be loaded, and loads it; several come one after the other. */
export async function loadDialog(context, [file, ...others], { known, done }) {
  if (!file) return;
  const outcome = problemLine(), heading = h("h2", { id: unique("dialog") }, `Load ${file.name}`);
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  const content = h("div");
  const dialog = h("dialog", { "aria-labelledby": heading.id, class: "load" }, heading, content, outcome.node);
  show(dialog, () => context.signal.aborted || loadDialog(context, others, { known, done }));
  fill(content, h("div", { class: "actions" }, close));
  try {
    const source = await file.text();
    const loaded = /\.(csv|tsv)$/i.test(file.name) || file.type === "text/csv" ? { values: readCSV(source), isCSV: true } : read(source);
    const loadedAs = name => {
      dialog.close();
      done();
      if (!others.length) context.go(address`/lists/${name}`);
    };
    fill(content, plan(context, file, loaded, { known, outcome, close, done: loadedAs }));
    content.querySelector("input").focus();
  } catch (error) {
    outcome.show(error);
  }
}

/** What a file holds: `{values}` or `{sections, …}`. */
function read(source) {
  let content;
  try {
    content = parse(source);
  } catch (error) {
    const lines = source.split("\n").filter(line => line.trim());
    try {
      content = lines.length > 1 ? lines.map(parse) : undefined;
    } catch {}
    if (!content) throw new Error(`The file is not JSON: ${error.message}`);
  }
  if (Array.isArray(content)) return { values: content };
  if (Array.isArray(content?.sections)) return content;
  throw new Error("The file has to be an array of values, or an object with \"sections\".");
}

/** The form: what the list is called, what identifies an element, and what will happen. */
function plan(context, file, loaded, { known, outcome, close, done }) {
  const stem = file.name.replace(/\.[^.]*$/, "");
  const name = h("input", { required: true, value: loaded.name ?? stem, maxlength: 256 });
  const kind = select(["table", "collection", "flow", "stack"], loaded.kind);
  const model = h("input", { required: true, value: "Item", size: 10 });
  const identifier = h("input", { required: true, value: guess(loaded.values), list: "members" });
  const section = h("input", { required: true, value: "items", size: 10 });
  const says = h("p", { class: "note", role: "status" }), code = h("code"), would = h("p", { class: "note", role: "status" });
  const dry = h("button", { type: "button", onclick: () => {
    outcome.clear();
    busy(dry, outcome, async () => {
      const { body } = await send(context, wanted(), loaded, { dryRun: true });
      text(would, `It would send: ${summaryOf(body)}.`);
    });
  } }, "Dry run");
  const go = h("button", { type: "submit", class: "primary" }, "Load");
  const wanted = () => ({ name: name.value, kind: kind.value, model: model.value, identifier: identifier.value, section: section.value });
  const draw = () => {
    const list = known(name.value), elements = loaded.values?.length ?? loaded.sections.reduce((sum, { elements, rows }) =>
      sum + (elements?.length ?? rows?.length ?? 0), 0);
    const twice = loaded.values ? repeated(loaded.values, identifier.value) : 0;
    text(says, [
      `${count(elements, "element")}${loaded.values ? "" : ` in ${count(loaded.sections.length, "section")}`}.`,
      list ? `The list is there already; its ${count(list.counts.elements, "element")} ${list.counts.elements === 1 ? "is" : "are"} replaced, and what differs is sent to those who follow it.` : "The list is new.",
      twice ? `${count(twice, "value")} ${twice === 1 ? "has" : "have"} the identifier of another one, or none.` : "",
    ].join(" "));
    says.classList.toggle("warn", twice > 0);
    kind.disabled = !!list;
    dry.hidden = !list;
    text(would, "");
    text(go, list ? "Replace and reload" : "Load");
    text(code, loaded.isCSV ? commandOfCSV(file.name, wanted()) : commands(context, file.name, wanted(), loaded));
  };
  const form = h("form", { "aria-label": "Load", oninput: draw, onsubmit: event => {
    event.preventDefault();
    outcome.clear();
    busy(go, outcome, () => load(context, wanted(), loaded, known).then(summary => {
      announce(`Loaded: ${summary}`);
      done(name.value);
    }));
  } }, h("div", { class: "fields" }, field("List", name), field("Kind", kind), loaded.values && [
    field("Model", model), field("Identifier", identifier), field("Section", section)]),
  says, h("div", { class: "actions" }, go, dry, close), would,
  h("details", { class: "curl-line" }, h("summary", null, "curl"), h("div", null, h("pre", { tabindex: "0" }, code), copyButton(() => code.textContent))));
  draw();
  return form;
}

/** Sends it: the list where it is new, then all of it at once, all or nothing. */
async function load(context, wanted, loaded, known) {
  if (!known(wanted.name)) {
    await context.api.put(directorPath(wanted.name), { kind: wanted.kind, properties: loaded.properties }, { headers: { "If-None-Match": "*" } })
      .catch(error => {
        if (error.status !== 412) throw error;
      });
  }
  const { body } = await send(context, wanted, loaded, { reload: true });
  return summaryOf(body);
}

/** Sends all of it as one batch, to be published or only tried. */
function send(context, wanted, loaded, how) {
  return context.api.post(`${directorPath(wanted.name)}/operations`, { ...how, operations: operations(wanted, loaded) });
}

function operations({ model, identifier, section }, loaded) {
  if (loaded.values) {
    return [{ op: "setAdapter", model, value: { cell: `${model}Cell`, identifier } },
      { op: "setSections", sections: [{ id: section, elements: loaded.values.map(value => ({ model, value })) }] }];
  }
  return [
    ...(loaded.adapters ?? []).map(({ model, ...value }) => ({ op: "setAdapter", model, value })),
    ...Object.entries(loaded.variables ?? {}).map(([name, value]) => ({ op: "setVariable", name, value })),
    { op: "setSections", sections: loaded.sections },
  ];
}

/** The same with curl and jq: the file itself is not repeated in the command. */
function commands(context, file, { name, kind, model, identifier, section }, loaded) {
  const quote = value => `'${`${value}`.replaceAll("'", "'\\''")}'`;
  const path = address`/v1/directors/${name}`;
  const adapter = { op: "setAdapter", model, value: { cell: `${model}Cell`, identifier } };
  const filter = loaded.values
    ? `{reload: true, operations: [${JSON.stringify(adapter)}, {op: "setSections", sections: [{id: ${JSON.stringify(section)}, elements: map({model: ${JSON.stringify(model)}, value: .})}]}]}`
    : `{reload: true, operations: [(.adapters // [] | .[] | {op: "setAdapter", model, value: del(.model)}), (.variables // {} | to_entries[] | {op: "setVariable", name: .key, value}), {op: "setSections", sections}]}`;
  const body = curl({ method: "POST", path: `${path}/operations` }, context.session.asksForTokens);
  return [command(context, { method: "PUT", path, body: { kind } }), `jq ${quote(filter)} ${quote(file)} | ${body} --json @-`].join("\n");
}

/** The same with the program, which reads CSV itself. */
function commandOfCSV(file, { name, model, identifier, section }) {
  return ["load", file, "--director", name, "--model", model, "--identifier", identifier, "--section", section, "--server", location.origin]
    .reduce((sum, word) => `${sum} ${/^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`}`, "callboard");
}

/** What may identify the values: the first member that all have, and that differs in all. */
function guess(values) {
  const [first] = values ?? [];
  if (!first || typeof first !== "object") return "{id}";
  const names = ["id", "code", "key", "name", ...Object.keys(first)].filter(name => Object.hasOwn(first, name));
  const plain = names.filter(name => /^[\w-]+$/.test(name));
  return `{${plain.find(name => repeated(values, `{${name}}`) === 0) ?? plain[0] ?? "id"}}`;
}

/** How many values have the identifier of another one, or none; only for templates of plain members. */
function repeated(values, template) {
  const seen = new Set();
  let twice = 0;
  for (const value of values) {
    let isWhole = true;
    const id = value && typeof value === "object" ? template.replace(/\{([^}/]+)\}/g, (_, name) => {
      isWhole &&= value[name] !== undefined && value[name] !== null;
      return write(value[name] ?? null);
    }) : write(value);
    if (seen.has(id) || !isWhole) twice++;
    seen.add(id);
  }
  return twice;
}
