import { showNoList, showUnreadable } from "./await-list.js";
import { address, fill, h, link } from "./dom.js";
import { line } from "./json.js";
import { taken } from "./parts.js";
import { listAddress } from "./places.js";
import { table } from "./table.js";
import { newViewDialog } from "./view-panel.js";

/** The views that follow from a list. */
export function showViews(context) {
  const { main, api, session, signal, address: { params: { name } } } = context;
  if (showUnreadable(context, name)) return;
  let source, isMissing = false;
  const making = session.may("define") ? h("button", { type: "button", class: "push", disabled: true, onclick: () => newViewDialog(context, name, source.kind) }, "New view")
    : taken(session, "define", "make views");
  const shown = table({ caption: "Views", key: row => row.name, sort: { id: "name" }, columns,
    empty: "No view follows from this list yet. A view shows some of its elements, sorted, grouped or summed up, and changes with it." });
  fill(main, h("div", { class: "bar" }, h("p", { class: "note" }, "Lists that follow from this one."), making), shown.node);
  context.live(async () => {
    if (isMissing) return;
    const { body } = await api.get("/v1/directors", { query: { limit: 10000 }, signal });
    source = body.directors.find(each => each.name === name);
    isMissing = !source;
    if (isMissing) return showNoList(context, name, () => context.go(listAddress(name, "views")));
    making.disabled = false;
    shown.update(body.directors.filter(({ view }) => view?.from === name));
  }, 2000);
}

const columns = [
  { id: "name", title: "View", header: true, value: row => row.name,
    node: ({ name }, cell, isNew) => isNew && fill(cell, link(address`/lists/${name}`, name)) },
  { id: "kind", title: "Kind", value: row => row.kind, optional: true },
  { id: "where", title: "Selects", text: ({ view }) => view.where === undefined ? "everything" : line(view.where, 160) },
  { id: "sortBy", title: "Sorted by", optional: true, text: ({ view }) => view.sortBy?.map(({ key, order }) => `${line(key.var ?? key, 60)}${order ? ` ${order}` : ""}`).join(", ") || "as the list" },
];
