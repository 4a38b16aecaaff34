import { field, form, select, show } from "./action.js";
import { address, announce, copyButton, count, fill, h, link, number, text, unique } from "./dom.js";
import { acceptFiles } from "./drop-files.js";
import { missing, taken } from "./parts.js";
import { openLater } from "./places.js";
import { sampleButton } from "./sample.js";
import { table } from "./table.js";

/** How often the lists are asked for, in milliseconds, and how many of them. */
const pace = 2000, most = 10000;
/** How many lists are shown at once; the search finds the others. */
const shownAtMost = 500;

/** The page of all lists. */
export function showLists(context) {
  const { main, address: { query }, session } = context;
  if (!session.may("read")) return void fill(main, missing(session, "read", "see lists"));
  const rates = new Rates();
  /** Whether the server tells of its streams, as far as is known. */
  let isTold = session.may("operate");
  let lists, total = 0, streams;
  const search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search lists", "data-search": true,
    value: query.get("q") ?? "", oninput: draw, onkeydown: event => event.key === "Enter" && open() });
  const found = h("span", { class: "muted", role: "status" });
  const shown = makeTable(context, { rates, streamsOf: name => streams?.get(name), tellsStreams: isTold });
  const again = context.live(poll, pace);
  const load = files => openLater().then(
    ({ loadDialog }) => loadDialog(context, files, { known: name => lists?.find(list => list.name === name), done: again }),
    error => announce(error.message));
  const picker = h("input", { type: "file", accept: ".json,.ndjson,.csv,.tsv,application/json,text/csv", multiple: true, hidden: true,
    onchange: () => (load([...picker.files]), picker.value = "") });
  const buttons = taken(session, "define", "make lists") ?? (session.may("define") && [
    h("button", { type: "button", class: "push", onclick: () => createDialog(context) }, "New list"),
    h("button", { type: "button", onclick: () => picker.click() }, "Load a file"), picker]);
  const empty = firstSteps(session.may("define") && session.may("mutate") && sampleButton(context));
  main.append(h("div", { class: "bar" }, search, found, buttons), shown.node, empty);
  shown.node.hidden = empty.hidden = true;
  if (session.may("define")) acceptFiles(main, load, context.signal);
  context.shortcut("n", "New list", () => session.may("define") && createDialog(context));

  async function poll() {
    const [answer, told] = await Promise.all([
      context.api.get("/v1/directors", { query: { limit: most }, signal: context.signal }), isTold ? readStreams() : undefined]);
    ({ directors: lists, total } = answer.body);
    streams = told;
    rates.note(lists);
    draw();
  }

  async function readStreams() {
    try {
      return byDirector((await context.api.get("/v1/streams", { query: { limit: most }, signal: context.signal })).body.streams);
    } catch (error) {
      if (error.status !== 404 && error.status !== 403) throw error;
      // A server that does not tell is not asked again.
      isTold = false;
      shown.node.classList.add("untold");
    }
  }

  function matching() {
    const wanted = search.value.trim().toLowerCase();
    return (lists ?? []).filter(({ name }) => name.toLowerCase().includes(wanted));
  }

  function draw() {
    if (!lists) return;
    const rows = matching(), hasSearch = search.value.trim() !== "";
    shown.update(rows.slice(0, shownAtMost));
    shown.setEmpty("No list has a name with ", h("q", null, search.value.trim()));
    shown.node.hidden = lists.length === 0;
    empty.hidden = lists.length > 0;
    const isCut = rows.length > shownAtMost ? `, of which ${shownAtMost} are shown` : "";
    text(found, lists.length === 0 ? "" : hasSearch ? `${number(rows.length)} of ${count(total, "list")}${isCut}` : `${count(total, "list")}${isCut}`);
    context.replace(hasSearch ? `/?${new URLSearchParams({ q: search.value.trim() })}` : "/");
  }

  function open() {
    const [first] = matching();
    if (first) context.go(address`/lists/${first.name}`);
  }
}

/** A column of numbers that a view, which each reader may see in another form, does not have. */
const figure = (id, title, of, optional) => ({ id, title, numeric: true, optional,
  value: row => row.view ? undefined : of(row), text: row => row.view ? "–" : number(of(row)) });

function makeTable(context, { rates, streamsOf, tellsStreams }) {
  const columns = [
    { id: "name", title: "Name", value: row => row.name, header: true, node: (row, cell, isNew) => {
      if (isNew) cell.append(link(address`/lists/${row.name}`, row.name));
    } },
    { id: "kind", title: "Kind", value: row => row.kind, text: row => row.view ? `view of ${row.view.from}` : row.kind, optional: true },
    figure("sections", "Sections", row => row.counts.sections, true), figure("elements", "Elements", row => row.counts.elements),
    figure("version", "Version", row => row.version, true),
    { id: "rate", title: "Versions a minute", value: row => rates.of(row), text: row => number(rates.of(row)), numeric: true, optional: true },
  ];
  if (tellsStreams) {
    columns.push({ id: "subscribers", title: "Subscribers", value: row => streamsOf(row.name)?.count ?? 0,
      text: row => number(streamsOf(row.name)?.count ?? 0), numeric: true },
    { id: "lag", title: "Largest lag", value: row => streamsOf(row.name)?.lag ?? 0, numeric: true, optional: true,
      text: row => lagText(streamsOf(row.name)) });
  }
  return table({ caption: "Lists", key: row => `${row.name}`, columns, sort: { id: "name", isDescending: false } });
}

function lagText(found) {
  if (!found) return "–";
  return found.lag ? count(found.lag, "version") : "none";
}

/** How many streams each list has, and how many versions the one that lags most is behind. */
function byDirector(streams) {
  const found = new Map();
  for (const { directors } of streams) {
    for (const { name, lag } of directors) {
      const entry = found.get(name) ?? { count: 0, lag: 0 };
      found.set(name, { count: entry.count + 1, lag: Math.max(entry.lag, lag ?? 0) });
    }
  }
  return found;
}

/** Versions a minute, out of what was seen in the last minute; the server itself does not tell. */
class Rates {
  #seen = new Map();

  note(lists, now = performance.now()) {
    const known = new Set();
    for (const { name, epoch, version } of lists) {
      const key = JSON.stringify([name, epoch]), samples = this.#seen.get(key) ?? [];
      samples.push({ now, version });
      while (now - samples[0].now > 60000) samples.shift();
      this.#seen.set(key, samples);
      known.add(key);
    }
    for (const key of this.#seen.keys()) if (!known.has(key)) this.#seen.delete(key);
  }

  of({ name, epoch }) {
    const samples = this.#seen.get(JSON.stringify([name, epoch]));
    const first = samples?.[0], last = samples?.at(-1);
    if (!first || last.now - first.now < 1500) return undefined;
    return Math.round((last.version - first.version) * 60000 / (last.now - first.now) * 10) / 10;
  }
}

/** What there is to do where there is no list yet. */
function firstSteps(sample) {
  const server = `${location.origin}/v1/directors/contacts`;
  const command = [
    `D=${server}`,
    `curl -X PUT "$D" --json '{"kind": "table"}'`,
    `curl -X PUT "$D/adapters/Contact" --json '{"cell": "ContactCell", "identifier": "{name}"}'`,
    `curl -X POST "$D/sections" --json '{"id": "friends", "headerTitle": "Friends"}'`,
    `curl -X POST "$D/sections/friends/elements?reload=true" --json '[{"value": {"name": "Ada Lovelace"}}, {"value": {"name": "Alan Turing"}}]'`,
  ].join("\n");
  return h("section", { class: "first-steps" }, h("h2", null, "No lists yet"),
    sample && h("p", { class: "note" }, "See one move: countries that change by themselves, until you stop them. ", sample),
    h("p", { class: "note" }, "Or make one here, drop a JSON or CSV file on this page, or begin with curl:"),
    h("pre", { tabindex: "0" }, h("code", null, command)), copyButton(command));
}

/** Asks for the name and the kind of a new list. */
function createDialog(context) {
  const name = h("input", { required: true, maxlength: 256, autocomplete: "off", autofocus: true });
  const kind = select(["table", "collection", "flow", "stack"]);
  const heading = h("h2", { id: unique("dialog") }, "New list");
  const cancel = h("button", { type: "button", onclick: () => (content.discard(), dialog.close()) }, "Cancel");
  const content = form(context, {
    title: "New list", fields: [field("Name", name), field("Kind", kind)], submit: "Create", more: [cancel],
    request: () => ({ method: "PUT", path: address`/v1/directors/${name.value || "NAME"}`,
      headers: { "If-None-Match": "*" }, body: { kind: kind.value } }),
    done: () => {
      dialog.close();
      context.go(address`/lists/${name.value}`);
    },
  });
  const dialog = h("dialog", { "aria-labelledby": heading.id }, heading, content);
  show(dialog);
}
