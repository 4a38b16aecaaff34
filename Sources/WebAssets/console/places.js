/** Where sections, rows and elements are in the API, and what they are called. */
import { address } from "./dom.js";

/** An identifier as an address: one that begins with `@` would be a position. */
export const addressOf = id => id.startsWith("@") ? `@${id}` : id;

/** The address of a list's page, or of one of its tabs. */
export function listAddress(name, tab = "", query = {}) {
  const asked = `${new URLSearchParams(query)}`;
  return address`/lists/${name}` + (tab && `/${tab}`) + (asked && `?${asked}`);
}

/** The module of pages and dialogs that a visit may never open: it is asked for with the first of them. */
export const openLater = () => import("./later.js").catch(() => {
  throw new Error("The server did not send this part of the console. Reload the page; the server may have been upgraded.");
});

/** The path of a director. */
export const directorPath = name => address`/v1/directors/${name}`;

/** The path of a section. */
export const sectionPath = (name, section) => directorPath(name) + address`/sections/${addressOf(section)}`;

/** What holds a published element: its section, or the model row that it comes from. */
export function holderPath(name, section, element) {
  return sectionPath(name, section) + (element.row === undefined ? "" : address`/rows/${addressOf(element.row)}`);
}

/** Whether a published element is a constant row, which is one cell by itself. */
export const isConstantRow = element => element.row !== undefined && element.model === undefined;

/** The path of a published element in the working state; of a constant row, that of the row. */
export function elementPath(name, section, element) {
  const holder = holderPath(name, section, element);
  return isConstantRow(element) ? holder : holder + address`/elements/${addressOf(element.id)}`;
}

// What tells a published element from the others of the list, as far as identifiers do.
export { keyOf } from "../client/virtual.js";

/** Whether both stand in the same place. */
export const isSame = (a, b) => a?.[0] === b?.[0] && a?.[1] === b?.[1];

/**
 * The request that has a published element take another one's place, or the end of a section (an index beyond its last).
 * It names both by their identifiers, so that it holds in a working state that differs.
 */
export function moveRequest(list, from, to) {
  const [source, target] = [list.sections[from[0]], list.sections[to[0]]];
  const element = source?.elements.at(from[1]), other = target?.elements.at(to[1]);
  if (!element || !target) throw new Error("The list has changed meanwhile.");
  const toSection = from[0] === to[0] ? undefined : addressOf(target.id);
  const section = sectionPath(list.name, source.id);
  if (isConstantRow(element)) {
    if (!other || other.row === undefined) throw new Error("A row can only take another row's place.");
    return { method: "POST", path: `${section}/rows:move`, body: { from: addressOf(element.row), to: addressOf(other.row), toSection } };
  }
  if ((element.row ?? other?.row) !== undefined && (toSection || element.row !== other?.row)) {
    throw new Error("An element of a row stays within its row.");
  }
  const place = other ? addressOf(other.id) : target.elements.length;
  return { method: "POST", path: `${holderPath(list.name, source.id, element)}/elements:move`,
    body: { from: addressOf(element.id), to: place, toSection } };
}

/** The place above or below, in the same section or the next one; undefined at the ends of the list. */
export function neighbour({ sections }, [section, index], step) {
  const at = index + step;
  if (at >= 0 && at < sections[section].elements.length) return [section, at];
  const next = section + step;
  if (!sections[next]) return undefined;
  return [next, step > 0 ? 0 : sections[next].elements.length];
}
