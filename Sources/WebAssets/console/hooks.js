/** Hooks as the API has them: where they can be registered, and what is said of them. */
import { address } from "./dom.js";

/** The places of a director that can have hooks: `{kind, name, path}`, and `section` for a row. */
export async function sitesOf({ api, signal }, director) {
  const base = address`/v1/directors/${director}`;
  const get = async path => (await api.get(base + path, { signal })).body;
  const [cells, views, { sections }] = await Promise.all([
    get("/adapters"), get("/header-footer-adapters"), get("/sections?elements=false&limit=10000")]);
  return [
    ...cells.adapters.flatMap(({ model }) => site("adapter", model, () => base + address`/adapters/${model}/events`)),
    ...views.adapters.flatMap(({ view }) => site("view", view, () => base + address`/header-footer-adapters/${view}/events`)),
    ...site("list", "", () => `${base}/events`), ...site("scroll", "", () => `${base}/scroll-events`),
    ...sections.flatMap(({ id, rows }) => rows ? rows.flatMap(row =>
      site("row", row.id, () => base + address`/sections/${escaped(id)}/rows/${escaped(row.id)}/events`, { section: id }))
      : site("section", id, () => base + address`/sections/${escaped(id)}/events`)),
  ];
}

/** A site, or none where its name cannot stand in an address (`..`). */
function site(kind, name, pathOf, more) {
  try {
    return [{ kind, name, path: pathOf(), ...more }];
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
    row: `row ${name} of ${section}`, section: `section ${name}`,
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
  if (place === "sections" && third === "events") return at("section", row, { name });
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
export function writable({ url, secret, timeout, default: fallback, headers, coalesce, every, cache, isDisabled }) {
  const members = { url, secret, timeout, default: fallback, headers, coalesce, every, cache, isDisabled };
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
