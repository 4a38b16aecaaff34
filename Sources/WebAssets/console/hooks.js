/** Hooks as the API has them: where they can be registered, and which are. */
import { address } from "./dom.js";

/** The API has no list of all hooks of rows; of more rows than this in a list the rest is left out. */
const mostRows = 40;

/**
 * The hooks of directors. What they have is read again where a director's revision has changed; otherwise only how the
 * targets are doing, where there are some.
 */
export class HookReader {
  #known = new Map();

  constructor({ api, signal }) {
    this.get = async path => (await api.get(path, { signal })).body;
  }

  /**
   * The hooks of a director and the sites that can have some: `{sites, hooks, rowsLeftOut}`. A site is `{kind, name,
   * path}`; a hook has its `path`, `director` and `site` besides what the server says of it.
   */
  async read(director) {
    const { name, epoch, revision } = director, key = `${epoch} ${revision}`;
    let known = this.#known.get(name);
    const isSame = known?.key === key;
    if (!isSame) known = { key, ...await this.#groups(name) };
    const stale = isSame ? known.groups.filter(({ sites }) => sites.some(({ hooks }) => hooks.length)) : known.groups;
    await Promise.all(stale.map(async group => group.sites = group.made(await this.get(group.path))));
    this.#known.set(name, known);
    const sites = known.groups.flatMap(group => group.sites);
    const hooks = sites.flatMap(each => each.hooks.map(hook =>
      ({ ...hook, director: name, listKind: director.kind, site: each, path: `${each.path}/${hook.event}` })));
    return { director, sites, hooks, rowsLeftOut: known.rowsLeftOut };
  }

  /** What is asked for the hooks of a director: `{path, made}`, where `made` makes sites of the answer. */
  async #groups(name) {
    const base = address`/v1/directors/${name}`;
    const { sections } = await this.get(`${base}/sections?elements=false&limit=1000`);
    const rows = sections.flatMap(({ id, rows }) => (rows ?? []).map(row => ({ section: id, row: row.id })));
    const groups = [
      { path: `${base}/adapters`, made: ({ adapters }) => adapters.flatMap(({ model, events }) =>
        sited("adapter", model, events, () => base + address`/adapters/${model}/events`)) },
      { path: `${base}/header-footer-adapters`, made: ({ adapters }) => adapters.flatMap(({ view, events }) =>
        sited("view", view, events, () => base + address`/header-footer-adapters/${view}/events`)) },
      { path: `${base}/events`, made: ({ events }) => sited("list", "", events, () => `${base}/events`) },
      { path: `${base}/scroll-events`, made: ({ events }) => sited("scroll", "", events, () => `${base}/scroll-events`) },
      ...rows.slice(0, mostRows).flatMap(({ section, row }) =>
        sited("row", row, [], () => base + address`/sections/${escaped(section)}/rows/${escaped(row)}/events`).map(({ path }) =>
          ({ path, made: ({ events }) => [{ kind: "row", name: row, section, path, hooks: events }] }))),
    ];
    return { groups, rowsLeftOut: Math.max(0, rows.length - mostRows) };
  }
}

/** A site, or none where its name cannot stand in an address (`..`). */
function sited(kind, name, events, pathOf) {
  try {
    return [{ kind, name, path: pathOf(), hooks: Object.values(events ?? {}) }];
  } catch {
    return [];
  }
}

/** An identifier as an address: one that begins with `@` is doubled. */
export function escaped(identifier) {
  return identifier.startsWith("@") ? `@${identifier}` : identifier;
}

/** What a site is called. */
export function siteName({ kind, name, section }) {
  return {
    adapter: `cell of ${name}`, view: `view ${name}`, list: "the list", scroll: "scrolling",
    row: `row ${name} of ${section}`,
  }[kind];
}

/** The site that a hook's path names: `{director, kind, name, section, event}`, or undefined. */
export function readPath(path) {
  const parts = path.split("/").slice(1).map(decoded);
  const [version, directors, director, place, name, third, row, fourth, last] = parts;
  if (version !== "v1" || directors !== "directors") return undefined;
  const at = (kind, event, more) => event && { director, kind, name: "", event, ...more };
  if (place === "adapters" && third === "events") return at("adapter", row, { name });
  if (place === "header-footer-adapters" && third === "events") return at("view", row, { name });
  if (place === "events") return at("list", name);
  if (place === "scroll-events") return at("scroll", name);
  if (place === "sections" && third === "rows" && fourth === "events") return at("row", last, { name: row, section: name });
  return undefined;
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** What of a hook can be put back. */
export function writable({ url, secret, timeout, default: fallback, headers, coalesce, cache, isDisabled }) {
  const members = { url, secret, timeout, default: fallback, headers, coalesce, cache, isDisabled };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== false));
}

/** How a hook is doing: `{mood, says}`, where the mood is `good`, `bad` or `idle`. */
export function health({ isDisabled, disabledReason, url, health }) {
  if (isDisabled) return { mood: disabledReason === "disabled by request" ? "idle" : "bad", says: disabledReason ?? "disabled" };
  if (!url) return { mood: "idle", says: "answers its default, calls nobody" };
  const failures = health.consecutiveFailures;
  if (failures) return { mood: "bad", says: failures === 1 ? "the last call failed" : `the last ${failures} calls failed` };
  return health.lastSuccess ? { mood: "good", says: "works" } : { mood: "idle", says: "not called yet" };
}

/** A new secret, after Standard Webhooks. */
export function newSecret() {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))}`;
}
