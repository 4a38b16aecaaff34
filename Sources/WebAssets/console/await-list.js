import { action, select } from "./action.js";
import { fill, h } from "./dom.js";
import { missing } from "./parts.js";
import { directorPath } from "./places.js";

/** How often it is asked whether there is a list of that name, in milliseconds. */
const pace = 2000;

/** Calls `found()` once there is a list of that name. */
export function awaitList({ api, signal, live }, name, found) {
  live(async () => {
    const { body } = await api.get("/v1/directors", { query: { limit: 10000 }, signal });
    if (!signal.aborted && body.directors.some(each => each.name === name)) found();
  }, pace);
}

/** Says that there is no such list, in place of a page of one; as soon as there is one, `found()` shows the page. */
export function showNoList(context, name, found) {
  const { main, session } = context, kind = select(["table", "collection", "flow", "stack"]);
  kind.setAttribute("aria-label", "Kind");
  fill(main, h("p", { role: "status" }, "There is no list named ", h("q", null, name), ". As soon as somebody makes it, it is shown here."),
    session.may("define", name) && h("div", { class: "bar" }, kind, action(context, { label: "Make it",
      request: () => ({ method: "PUT", path: directorPath(name), headers: { "If-None-Match": "*" }, body: { kind: kind.value } }), done: found })));
  awaitList(context, name, found);
}

/** Says that a list may not be read, where that is so: then there is nothing else to show. */
export function showUnreadable({ main, session }, name) {
  if (session.may("read", name)) return false;
  fill(main, missing(session, "read", `see the list “${name}”`, name));
  return true;
}
