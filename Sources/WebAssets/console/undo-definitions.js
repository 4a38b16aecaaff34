/** What takes back a change of what a list is made of: its adapters, hooks and rows, its definition where it is a view. */
import { tagOf } from "./api.js";
import { note } from "./undo.js";
import { write } from "./json.js";
import { writable } from "./hooks.js";
import { addressOf, directorPath, sectionPath } from "./places.js";
import { address, h } from "./dom.js";

/**
 * A note for a thing at a path that was put there (`before` is undefined), put in place of another, or deleted (`after` is).
 * `look` reads it where it may not be there. `own` gives what of it is put, `compared` what must be as it was left; so must be what
 * hangs on it, such as the hooks of an adapter.
 */
function changed(context, { director, path, says, before, after, own, compared = own, method = "PUT", look, changed }) {
  const { api } = context, seen = thing => write(thing ? [compared(thing), Object.keys(thing.events ?? {})] : null);
  return note(context, { says, changed, since: "It was changed since, or is in use",
    read: async () => {
      // The tag first: what is changed after it was read is not overwritten.
      const { headers } = await api.get(directorPath(director));
      return { body: look ? await look(api) : (await api.get(path)).body, etag: tagOf(headers) };
    },
    isAsLeft: ({ body }) => seen(body) === seen(after),
    request: () => before ? { method, path, body: method === "PATCH" ? patchTo(own(before), own(after)) : own(before) } : { method: "DELETE", path } });
}

/** What makes of one object another one by a merge patch. */
const patchTo = (to, from) => ({ ...Object.fromEntries(Object.keys(from).map(name => [name, null])), ...to });
const named = name => h("bdi", null, name);
const verb = (before, after) => !before ? " was added." : !after ? " was deleted." : " was saved.";

/** An adapter is another one, new or deleted; with hooks it cannot be made again. */
export function adapterChanged(context, { list, before, after, ...more }) {
  if (!after && Object.keys(before.events ?? {}).length) return undefined;
  const { model } = after ?? before, own = ({ model, events, ...rest }) => rest;
  return changed(context, { director: list.name, path: directorPath(list.name) + address`/adapters/${model}`, before, after, own,
    look: async api => (await api.get(`${directorPath(list.name)}/adapters`)).body.adapters.find(each => each.model === model),
    says: ["The adapter ", named(model), verb(before, after)], ...more });
}

/** A hook is another one, new or deleted; a secret cannot be given again. */
export function hookChanged(context, { site, before, after, says = verb(before, after), ...more }) {
  if (!after && before.secret) return undefined;
  // A new secret is told once, and later by its end.
  const compared = hook => ({ ...writable(hook), secret: [hook.secret ?? []].flat().length });
  return changed(context, { director: site.director, path: site.path, before, after, own: writable,
    look: async api => (await api.get("/v1/hooks", { query: { director: site.director, limit: 1000 } })).body.hooks.find(each => each.path === site.path)?.hook,
    compared, says: ["The hook for ", named(site.event), says], ...more });
}

/** A row of a section has other members; its elements stay. */
export function rowSaved(context, { list, section, before, after, ...more }) {
  const own = ({ count, elements, section, position, ...rest }) => rest;
  return changed(context, { director: list.name, path: sectionPath(list.name, section) + address`/rows/${addressOf(after.id)}`, before, after, own,
    method: "PATCH", says: ["The row ", named(before.id), " was saved."], ...more });
}

/** A view has another definition. */
export function viewSaved(context, { name, before, after, ...more }) {
  const own = ({ kind, properties, view }) => ({ kind, properties, view });
  return changed(context, { director: name, path: directorPath(name), before, after, own, says: ["The view ", named(name), " was saved."], ...more });
}
