import { address, count, fill, h, link, measured, number, span, text, when } from "./dom.js";
import { action, select } from "./action.js";
import { health, readPath, siteName, writable } from "./hooks.js";
import { registration } from "./hook-form.js";
import { Metrics, quantile } from "./metrics.js";
import { isShown, missing, state } from "./parts.js";
import { listAddress } from "./places.js";
import { table } from "./table.js";
import { hookChanged } from "./undo-definitions.js";

/** So many hooks are shown at once; of one list more can be. */
const most = 1000;

/** All hooks, by director and site; on a tab of a list, those of that list. */
export function showHooks(context) {
  const { main, api, session, signal, address: { params: { name: only }, query } } = context;
  if (!session.may("hooks", only)) return void fill(main, missing(session, "hooks", "see or change hooks", only));
  let chosen = only ?? query.get("director") ?? "";
  const chooser = select([["", "All lists"]]);
  chooser.setAttribute("aria-label", "List");
  const note = h("p", { class: "note", hidden: true }), calls = h("p", { class: "note", hidden: true });
  const shown = table({ caption: "Event hooks", key: hook => hook.path, sort: { id: only ? "site" : "director" },
    columns: columnsOf(context, () => refresh()).filter(({ id }) => !only || id !== "director"),
    empty: "No hook is registered. Register one below: its target then hears of taps, or is asked for heights." });
  const form = registration(context);
  fill(main, h("div", { class: "bar" }, !only && chooser, calls), h("div", null, shown.node, note), form.node);
  const refresh = context.live(async () => {
    const [{ directors }, { hooks, total }] = (await Promise.all([
      api.get("/v1/directors", { query: { limit: 10000 }, signal }),
      api.get("/v1/hooks", { query: { limit: most, ...chosen && { director: chosen } }, signal }),
    ])).map(({ body }) => body);
    choices(chooser, directors, chosen);
    shown.update(hooks.map(({ hook, director, kind, path }) => ({ ...hook, director, listKind: kind, path, site: readPath(path) })));
    text(note, `${count(total - hooks.length, "hook")} more: choose a list to see its hooks.`);
    note.hidden = total <= hooks.length;
    await form.update(chosen ? directors.filter(({ name }) => name === chosen) : directors);
  }, 2000);
  chooser.addEventListener("change", () => {
    chosen = chooser.value;
    context.replace(chosen ? `/hooks?${new URLSearchParams({ director: chosen })}` : "/hooks");
    refresh();
  });
  // Of one list alone it is not told.
  if (!only && session.may("operate")) context.live(async () => showCalls(calls, (await api.get("/metrics", { signal })).body), 5000);
}

function choices(chooser, directors, chosen) {
  const names = directors.map(({ name }) => name);
  if (chosen && !names.includes(chosen)) names.push(chosen);
  const wanted = ["", ...names];
  if (wanted.join("\n") === [...chooser.options].map(({ value }) => value).join("\n")) return;
  fill(chooser, wanted.map(name => h("option", { value: name }, name || "All lists")));
  chooser.value = chosen;
}

/** The API tells how long calls take for all hooks together. */
function showCalls(node, source) {
  const buckets = new Metrics(source, 0).buckets("callboard_hook_call_duration_seconds");
  const [median, slow] = [0.5, 0.99].map(share => quantile(share, buckets));
  node.hidden = median === undefined;
  if (median === undefined) return;
  text(node, `${count(buckets.at(-1)[1], "call")} since the server's start: half within ${span(median)}, 99 % within ${span(slow)}`);
}

const columnsOf = (context, refresh) => [
  { id: "director", title: "List", value: hook => `${hook.director}\0${siteName(hook.site)}\0${hook.event}`,
    node: (hook, cell, isNew) => isNew && fill(cell, link(address`/lists/${hook.director}`, hook.director)) },
  { id: "site", title: "Where", value: hook => siteName(hook.site) },
  { id: "event", title: "Event", header: true, value: hook => hook.event,
    node: (hook, cell, isNew) => isNew && fill(cell, link(`/hook?${new URLSearchParams({ path: hook.path })}`, hook.event)) },
  { id: "kind", title: "Kind", value: hook => hook.kind, optional: true },
  { id: "target", title: "Target", value: hook => hook.url ?? "", node: (hook, cell) => text(cell, hook.url ?? "–").classList.add("url") },
  { id: "state", title: "State", value: hook => health(hook).mood,
    node: (hook, cell, isNew) => {
      const { mood, says } = health(hook);
      if (isNew) fill(cell, h("span"), " ", enabling(context, hook, cell, refresh));
      cell.hook = hook;
      state(mood, says, cell.firstChild);
      cell.lastChild.hidden = !hook.isDisabled;
    } },
  { id: "pending", title: "Waiting", numeric: true, optional: true, value: hook => hook.health.pending, text: hook => number(hook.health.pending) },
  { id: "dead", title: "Given up", numeric: true, value: hook => hook.health.dead,
    node: (hook, cell) => {
      const { dead } = hook.health;
      if (isShown(cell, dead)) return;
      fill(cell, dead ? link(listAddress(hook.director, "deliveries", { status: "dead" }), number(dead)) : "0");
    } },
  { id: "latency", title: "Calls took", numeric: true, value: hook => parseInt(hook.health.latency?.median ?? -1),
    text: ({ health: { latency } }) => latency ? measured(latency.median) : "–", optional: true },
  { id: "last", title: "Last answer", value: hook => last(hook)?.at ?? "", node: showLast, optional: true },
];

/** A button that enables the hook of a cell. */
const enabling = (context, { site, path }, cell, refresh) => action(context, { label: "Enable", name: `Enable ${site.event} of ${siteName(site)}`, done: refresh,
  before: () => cell.hook, undo: ({ body }, before) => hookChanged(context, { site: { ...site, path }, before, after: body, says: " was enabled.", changed: refresh }),
  request: () => ({ method: "PUT", path: cell.hook.path, body: { ...writable(cell.hook), isDisabled: false } }) });

/** The newest of what the API tells of calls: `{at, isGood}`. */
function last({ health: { lastSuccess, lastError } }) {
  if (lastError && (!lastSuccess || lastError.at > lastSuccess)) return { at: lastError.at, isGood: false };
  return lastSuccess ? { at: lastSuccess, isGood: true } : undefined;
}

function showLast(hook, cell, isNew) {
  if (isNew) fill(cell, h("span"), " ", when(""));
  const found = last(hook), [word, time] = cell.children;
  text(word, found ? found.isGood ? "good" : "failed" : "none");
  time.hidden = !found;
  if (found) when(found.at, time);
}
