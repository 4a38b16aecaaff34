/** The cell adapters of a list: what identifies an element, and what its cell shows. */
import { action, field } from "./action.js";
import { address, h, unique } from "./dom.js";
import { line } from "./json.js";
import { jsonDialog } from "./json-dialog.js";
import { taken } from "./parts.js";
import { directorPath } from "./places.js";
import { usePreviews } from "./previews.js";
import { table } from "./table.js";
import { adapterChanged } from "./undo-definitions.js";

export class AdaptersPanel {
  adapters = [];

  /** `looks()` is called where rows look otherwise from now on. */
  constructor(context, { list, changed, looks }) {
    Object.assign(this, { context, list, changed, looks });
    this.canDefine = context.session.may("define", list.name);
    this.table = table({ caption: "Adapters", key: row => row.model, empty: "No adapters: an element needs one for its model.", columns: [
      { id: "model", title: "Model", header: true, value: row => row.model },
      { id: "cell", title: "Cell", value: row => row.cell },
      { id: "identifier", title: "Identifier", value: row => row.identifier },
      { id: "content", title: "Content", optional: true, text: row => row.content ? line(row.content.join(", ")) : "the whole value" },
      { id: "hooks", title: "Hooks", optional: true, text: row => Object.keys(row.events ?? {}).join(", ") || "–" },
      ...this.canDefine ? [{ id: "does", title: h("span", { class: "unseen" }, "Actions"), numeric: true, node: (row, cell, isNew) => this.#actions(row, cell, isNew) }] : [],
    ] });
    const heading = h("h2", { id: unique("adapters") }, "Adapters");
    this.node = h("section", { "aria-labelledby": heading.id }, h("div", { class: "bar" }, heading,
      this.canDefine ? h("button", { type: "button", class: "push quiet", onclick: () => this.#edit({ model: "", cell: "ItemCell", identifier: "{id}", content: null }) }, "Add an adapter")
        : taken(context.session, "define", "change adapters", list.name)),
    this.table.node);
  }

  async update() {
    const { body } = await this.context.api.get(`${directorPath(this.list.name)}/adapters`, { signal: this.context.signal });
    this.adapters = body.adapters;
    this.table.update(body.adapters);
    if (usePreviews(body.adapters)) this.looks();
  }

  #path(model) {
    return directorPath(this.list.name) + address`/adapters/${model}`;
  }

  #actions(row, cell, isNew) {
    cell.row = row;
    if (!isNew) return;
    cell.append(h("span", { class: "tools" },
      h("button", { type: "button", class: "quiet", "aria-label": `Edit the adapter ${row.model}`, onclick: () => this.#edit(cell.row) }, "Edit"),
      action(this.context, { label: "Delete", name: `Delete the adapter ${row.model}`, danger: () => `The adapter of “${row.model}” is removed. The server refuses it while the list has elements of that model.${
          Object.keys(cell.row.events ?? {}).length ? " Its event hooks are removed with it; this cannot be taken back." : ""}`,
        before: () => cell.row, undo: (_, before) => this.#undo(before),
        request: () => ({ method: "DELETE", path: this.#path(row.model) }), done: () => this.changed() })));
  }

  #edit({ model, events, ...value }) {
    const name = h("input", { required: true, value: model || "Item", readonly: !!model, maxlength: 256 });
    jsonDialog(this.context, { title: model ? `Adapter ${model}` : "Add an adapter", label: "Adapter as JSON", value, fields: [field("Model", name)],
      note: "identifier is a template over members of the value; content lists JSON pointers, null is the whole value; preview, such as {\"title\": \"{name}\", \"badge\": \"{state}\"}, has also subtitle, image and trailing.",
      request: body => ({ method: "PUT", path: this.#path(name.value || "MODEL"), body }), done: () => this.changed(),
      before: () => this.adapters.find(each => each.model === name.value), undo: ({ body }, before) => this.#undo(before, body) });
  }

  #undo(before, after) {
    return adapterChanged(this.context, { list: this.list, before, after, changed: () => this.changed() });
  }
}
