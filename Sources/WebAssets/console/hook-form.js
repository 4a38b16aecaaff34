/** Forms of hooks: registering one, changing one, trying one. */
import { write } from "./json.js";
import { field, form, select } from "./action.js";
import { address, fill, h, link } from "./dom.js";
import { eventsAt } from "./hook-events.js";
import { siteName, sitesOf, writable } from "./hooks.js";
import { hookChanged } from "./undo-definitions.js";
import { readJSON, shownOnce } from "./parts.js";

/** Fields of what a hook is, and `read()` for the body that they say. */
export function hookFields(hook = {}) {
  const url = h("input", { type: "url", placeholder: "https://example.org/taps", spellcheck: "false", value: hook.url ?? "" });
  const fallback = h("input", { spellcheck: "false", placeholder: "44",
    value: hook.default === undefined ? "" : write(hook.default) });
  const timeout = h("input", { placeholder: "5s", spellcheck: "false", value: hook.timeout ?? "" });
  const coalesce = h("input", { placeholder: "100ms", spellcheck: "false", value: hook.coalesce ?? "" });
  const every = h("input", { placeholder: "30s", spellcheck: "false", value: hook.every ?? "" });
  const headers = h("input", { spellcheck: "false", placeholder: '{"X-Key": "…"}', value: hook.headers ? JSON.stringify(hook.headers) : "" });
  return {
    fields: [
      field("Target", url, "Left empty, a question is answered with the default."),
      field("Default", fallback, "JSON; for a question that nobody answers."),
      field("Time-out", timeout), field("Coalesce", coalesce, "Of a flood of notifications, the latest in this time."),
      field("Every", every, "For models, which the server asks for: a time, or “read” for whenever somebody reads. Left empty, it asks at each reload."),
      field("Headers", headers, "A JSON object of fields that are sent besides."),
    ],
    read: () => writable({
      ...hook, url: url.value.trim() || undefined, default: readJSON(fallback, "The default"),
      timeout: timeout.value.trim() || undefined, coalesce: coalesce.value.trim() || undefined,
      every: every.value.trim() || undefined,
      headers: readJSON(headers, "Headers"),
    }),
  };
}

/** The form that registers a hook; `update(directors)` says which directors there are. */
export function registration(context) {
  const director = select([]), site = select([]), event = select([]);
  const outcome = h("div");
  const { fields, read } = hookFields();
  let known = [], sites = [], readFor;
  const current = () => known.find(({ name }) => name === director.value);
  const siteOf = () => sites.find(({ path }) => path === site.value);
  const made = form(context, {
    title: "Register a hook", submit: "Register",
    fields: [field("List", director), field("Where", site), field("Event", event), ...fields],
    request: () => {
      if (!siteOf()) throw new Error("There is no list that could have a hook.");
      // One that is there already is changed on its own page, and not replaced by mistake.
      return { method: "PUT", path: `${site.value}/${event.value}`, headers: { "If-None-Match": "*" }, body: read() };
    },
    undo: ({ body }) => hookChanged(context, { site: { director: current().name, event: event.value, path: `${site.value}/${event.value}` }, after: body,
      changed: () => {} }),
    done: ({ body, status }) => {
      const open = link(`/hook?${new URLSearchParams({ path: `${site.value}/${event.value}` })}`, "Open it and try it.");
      const secret = status === 201 ? [body.secret ?? []].flat()[0] : undefined;
      fill(outcome, h("p", { role: "status" }, "Registered. ", open),
        secret && shownOnce("The secret that calls are signed with. It is shown only now:", secret));
    },
  });
  // What fails here is tried again with the next update.
  director.addEventListener("change", () => readSites().catch(() => {}));
  site.addEventListener("change", () => drawEvents());

  /** Reads where the chosen director can have hooks, where that may have changed. */
  async function readSites() {
    const chosen = current(), key = chosen && JSON.stringify([chosen.name, chosen.epoch, chosen.revision]);
    if (key === readFor) return;
    readFor = key;
    try {
      const found = chosen ? await sitesOf(context, chosen.name) : [];
      // Another one may have been chosen meanwhile.
      if (readFor !== key) return;
      sites = found;
      options(site, sites.map(each => [each.path, siteName(each)]));
      drawEvents();
    } catch (error) {
      if (readFor === key) readFor = undefined;
      throw error;
    }
  }
  function drawEvents() {
    const found = siteOf();
    options(event, found ? eventsAt(found.kind, current().kind).map(name => [name, name]) : []);
    made.refresh();
  }
  return {
    node: h("details", { class: "more", open: made.isPutBack }, h("summary", null, "Register a hook"), made, outcome),
    async update(directors) {
      known = directors.filter(({ name }) => context.session.may("hooks", name));
      options(director, known.map(({ name }) => [name, name]));
      await readSites();
    },
  };
}

/** Changes what a select offers where it differs; what is chosen stays chosen. */
function options(control, wanted) {
  if (wanted.map(([value]) => value).join("\n") === [...control.options].map(({ value }) => value).join("\n")) return;
  const before = control.value || control.dataset.wanted;
  fill(control, wanted.map(([value, title]) => h("option", { value }, title)));
  if (wanted.some(([value]) => value === before)) control.value = before;
}

/** Where an event happens, as fields: `{fields, read}`. */
export function placeFields(site, suggestion) {
  const parameters = h("input", { spellcheck: "false", placeholder: "{}" });
  const last = field("Parameters", parameters, "A JSON object, as the UI would send it.");
  const rest = () => ({ parameters: readJSON(parameters, "Parameters") });
  if (site.kind === "list" || site.kind === "scroll") return { fields: [last], read: rest };
  if (site.kind === "view") {
    const side = select([["header", "Header"], ["footer", "Footer"]]);
    const section = h("input", { type: "number", min: 0, step: 1, value: suggestion?.[0] ?? 0 });
    return {
      fields: [field("Side", side), field("Section", section), last],
      read: () => ({ [side.value]: Number(section.value), ...rest() }),
    };
  }
  const place = h("input", { spellcheck: "false", value: suggestion ? JSON.stringify(suggestion) : "", placeholder: "[0, 0]" });
  const note = suggestion ? "Section and element, from 0." : "Section and element, from 0. None that is published fits.";
  return { fields: [field("Index path", place, note), last], read: () => ({ indexPath: readJSON(place, "The index path"), ...rest() }) };
}

/** A place that an event of this site can be about, or undefined. */
export async function suggestedPlace({ api, signal }, site) {
  const base = address`/v1/directors/${site.director}`;
  if (site.kind === "adapter") {
    const query = { model: site.name, state: "published", limit: 1 };
    return (await api.get(`${base}/elements`, { query, signal })).body.elements[0]?.indexPath;
  }
  if (site.kind === "row") {
    return (await api.get(`${site.path.replace(/\/events\/[^/]*$/, "")}/index-paths`, { signal })).body.indexPaths[0];
  }
  if (site.kind !== "view") return undefined;
  const query = { elements: false, state: "published", limit: 1000 };
  const { sections } = (await api.get(`${base}/sections`, { query, signal })).body;
  const at = sections.findIndex(({ headerView, footerView }) => headerView === site.name || footerView === site.name);
  return at < 0 ? undefined : [at];
}
