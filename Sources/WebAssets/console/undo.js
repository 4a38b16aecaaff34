/**
 * What takes a change back: notes for `toast`, made when the change was done.
 *
 * What the change is about is read first. Where somebody has changed it since, nothing is sent, and that is said. `query` is that
 * of the change: what was published at once is taken back so, too.
 */
import { tagOf } from "./api.js";
import { address, h } from "./dom.js";
import { write } from "./json.js";
import { addressOf, directorPath, elementPath, holderPath, sectionPath } from "./places.js";
import { readElement, withValue } from "./read-element.js";

/** How often it is tried where the list changes elsewhere meanwhile. */
const attempts = 5;
const named = name => h("bdi", null, name);
const isEqual = (a, b) => write(a) === write(b);

/**
 * Sends `request(now)` for as long as `isAsLeft(now)`, where `read()` gives `{body, etag}`. What has no place any more, since the
 * list is shorter now, is sent as `atEnd(now)`.
 */
async function takeBack({ api }, { read, isAsLeft, request, atEnd, since = "It was changed since" }) {
  for (let attempt = 1, make = request; ; attempt++) {
    const now = await read();
    if (!isAsLeft(now)) throw new Error(`${since}. Nothing was taken back.`);
    try {
      return await api.send({ headers: { "If-Match": now.etag }, ...make(now) });
    } catch (error) {
      if (error.status === 422 && atEnd && make !== atEnd) make = atEnd;
      else if (error.status !== 412 || attempt === attempts) throw error;
    }
  }
}

/** A reader of what there is at a path, with its tag. */
const reading = ({ api }, path, query) => async () => {
  const { body, headers } = await api.get(path, { query });
  return { body, etag: tagOf(headers) };
};

/** A note whose button takes the change back; `changed()` is called then. */
export const note = (context, { says, changed, ...plan }) => ({ says, undo: async () => {
  await takeBack(context, plan);
  changed();
} });

/** The page may be another one by then: its signal ends nothing here. */
const anywhere = ({ api }) => ({ api });

/** An element has another value; `before` and `after` are what was read of it, and what the server has answered. */
export function elementSaved(context, { list, selection: { element, section }, before, after, query, changed }) {
  const now = { ...element, id: after.id };
  return note(context, { changed, says: [named(before.id), " was saved."],
    read: () => readElement(anywhere(context), list, { element: now, section }),
    isAsLeft: ({ body }) => body.model === after.model && isEqual(body.value, after.value),
    request: () => ({ method: "PUT", path: elementPath(list.name, section.id, now), query, body: withValue(element, before, before.value) }) });
}

/** An element is deleted; one that comes from a row goes back into it. */
export function elementDeleted(context, { list, element, before: { section, row, position, indexPath, id, model, value }, query, changed }) {
  const again = at => () => ({ method: "POST", path: `${holderPath(list.name, section, element)}/elements`, query: { ...query, at }, body: { model, value } });
  return note(context, { changed, says: [named(id), " was deleted."], since: "There is one of this name again",
    read: reading(context, `${directorPath(list.name)}/elements`, { id }),
    isAsLeft: ({ body }) => !body.elements.some(each => each.section === section && each.row === row),
    request: again(`@${position ?? indexPath[1]}`), atEnd: again() });
}

/** An element is somewhere else; `before` is what was read of it there. */
export async function elementMoved(context, { list, before, query, changed }) {
  const { id } = before, read = reading(context, `${directorPath(list.name)}/elements`, { id });
  const placeOf = ({ section, row, position, indexPath }) => [section, row ?? null, position ?? indexPath[1]];
  const found = body => body.elements.find(each => each.row === before.row && isEqual(placeOf(each), place));
  // What has the same name elsewhere was there before, too.
  const { body } = await read(), [moved] = body.elements.length === 1 ? body.elements : [], place = moved && placeOf(moved);
  if (!moved || isEqual(place, placeOf(before))) return undefined;
  const to = placeOf(before)[2], back = to => () => ({ method: "POST", path: `${holderPath(list.name, place[0], before)}/elements:move`, query,
    body: { from: addressOf(id), to, toSection: before.section === place[0] ? undefined : addressOf(before.section) } });
  return note(context, { changed, says: [named(id), " was moved."], since: "It was moved since, or what is around it was",
    read, isAsLeft: ({ body }) => !!found(body), request: back(to) });
}

/** An element is added; `after` is what the server has answered. */
export function elementAdded(context, { list, after, query, changed }) {
  const { id, section, row, model, value } = after;
  return note(context, { changed, says: [named(id), " was added."], read: reading(context, `${directorPath(list.name)}/elements`, { id }),
    isAsLeft: ({ body: { elements } }) => elements.filter(each => each.section === section && each.row === row).length === 1
      && elements.some(each => each.section === section && each.row === row && each.model === model && isEqual(each.value, value)),
    request: () => ({ method: "DELETE", path: `${holderPath(list.name, section, after)}${address`/elements/${addressOf(id)}`}`, query }) });
}

/** A variable has another value; undefined is none. */
export function variableSet(context, { list, name, before, after, query, changed }) {
  const path = `${directorPath(list.name)}/variables`;
  return note(context, { changed, says: after === undefined ? ["The variable ", named(name), " was deleted."] : [named(name), ` is ${write(after)}.`],
    read: reading(context, path), isAsLeft: ({ body }) => isEqual(body.variables[name], after),
    request: () => ({ method: before === undefined ? "DELETE" : "PUT", path: path + address`/${name}`, query, body: before }) });
}

const headOf = ({ rows, count, elements, ...head }) => head;

/** A section is deleted; `before` is the whole of it. */
export function sectionDeleted(context, { list, at, before, query, changed }) {
  const path = `${directorPath(list.name)}/sections`, again = at => () => ({ method: "POST", path, query: { ...query, at }, body: before });
  return note(context, { changed, says: ["The section ", named(before.id), " was deleted."], since: "There is one of this name again",
    read: reading(context, path, { elements: false, limit: 10000 }), isAsLeft: ({ body }) => !body.sections.some(({ id }) => id === before.id),
    request: again(`@${at}`), atEnd: again() });
}

/** A section is added; `after` is what the server has answered. */
export function sectionAdded(context, { list, after, query, changed }) {
  const path = sectionPath(list.name, after.id);
  return note(context, { changed, says: ["The section ", named(after.id), " was added."], read: reading(context, path),
    isAsLeft: ({ body }) => isEqual(body, after), request: () => ({ method: "DELETE", path, query }) });
}

/** A section's own members are others: those that it had get their values back, the others are taken away. */
export function sectionSaved(context, { list, before, after, says = " was saved.", query, changed }) {
  const [old, made] = [headOf(before), headOf(after)], { id } = made;
  const body = { ...Object.fromEntries(Object.keys(made).map(name => [name, null])), ...old };
  return note(context, { changed, says: ["The section ", named(id), says],
    read: reading(context, `${directorPath(list.name)}/sections`, { elements: false, limit: 10000 }),
    isAsLeft: ({ body: { sections } }) => sections.filter(each => each.id === id).length === 1 && isEqual(headOf(sections.find(each => each.id === id)), made),
    request: () => ({ method: "PATCH", path: sectionPath(list.name, id), query, body }) });
}

/** A section has gone from one position to another. */
export function sectionMoved(context, { list, id, from, to, query, changed }) {
  const path = `${directorPath(list.name)}/sections`;
  return note(context, { changed, says: ["The section ", named(id), " was moved."], since: "The sections were changed since",
    read: reading(context, path, { elements: false, limit: 10000 }), isAsLeft: ({ body }) => body.sections[to]?.id === id,
    request: () => ({ method: "POST", path: `${path}:move`, query, body: { from: to, to: from } }) });
}
