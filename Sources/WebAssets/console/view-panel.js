/** The view of a list that follows from another one: its definition, what it sums up and leaves out, and its instances. */
import { field } from "./action.js";
import { address, bytes, count, fill, h, link, number, unique } from "./dom.js";
import { line, typed } from "./json.js";
import { jsonDialog } from "./json-dialog.js";
import { facts, isShown, json } from "./parts.js";
import { directorPath } from "./places.js";
import { table } from "./table.js";
import { viewSaved } from "./undo-definitions.js";
import { ViewPreview } from "./view-preview.js";

/** A session that may not change what a view shows: everything of it is its source's. */
export function viewing(session) {
  const denied = new Set(["mutate", "define", "hooks"]);
  return {
    principal: session.principal,
    asksForTokens: session.asksForTokens,
    may: (right, director) => !denied.has(right) && session.may(right, director),
    hasLost: (right, director) => !denied.has(right) && session.hasLost(right, director),
  };
}

export class ViewPanel {
  constructor(context, { name, changed }) {
    Object.assign(this, { context, name, changed });
    this.canDefine = context.session.may("define", name);
    this.about = h("div");
    this.instances = table({ caption: "Instances", key: row => row.epoch, empty: "Nobody reads it now.", columns: [
      { id: "of", title: "Of", header: true, text: row => row.view ? `a query: ${line(row.view)}` : boundTo(row) },
      { id: "elements", title: "Elements", value: row => row.counts.elements, text: row => number(row.counts.elements), numeric: true },
      { id: "streams", title: "Followed", value: row => row.isFollowed, text: row => row.isFollowed ? "yes" : "no" },
      { id: "bytes", title: "Memory", value: row => row.bytes, text: row => bytes(row.bytes), numeric: true, optional: true },
    ] });
    const heading = h("h2", { id: unique("view") }, "View"), below = h("h3", { id: unique("instances") }, "Instances");
    this.node = h("section", { "aria-labelledby": heading.id }, h("div", { class: "bar" }, heading,
      this.canDefine && h("button", { type: "button", class: "push quiet", onclick: () => this.#edit() }, "Edit the view")),
    this.about, this.canDefine && [below, this.instances.node]);
  }

  async update(director) {
    this.director = director;
    const { view, totals, faults } = director;
    if (!isShown(this.about, [view, totals, faults])) {
      fill(this.about, facts([
        ["Follows from", link(address`/lists/${view.from}`, view.from)],
        totals && ["Totals", totalsOf(totals)],
        faults && ["Left out", `${count(faults.count, "element")} on which an expression fails: `,
          faults.first.map(({ id, pointer, detail }) => h("p", { class: "note" }, h("code", null, id), `: ${pointer}: ${detail}`))],
      ]), h("details", null, h("summary", null, "Definition"), json(view)));
    }
    if (!this.canDefine) return;
    const { body } = await this.context.api.get(`${directorPath(this.name)}/instances`, { signal: this.context.signal });
    this.instances.update(body.instances);
  }

  #edit() {
    const { kind, properties, view } = this.director;
    viewDialog(this.context, { title: `View ${this.name}`, value: view, submit: "Save", done: () => this.changed(),
      before: () => this.director, undo: ({ body }, before) => viewSaved(this.context, { name: this.name, before, after: body, changed: () => this.changed() }),
      request: definition => ({ method: "PUT", path: directorPath(this.name), body: { kind, properties, view: definition } }) });
  }
}

/** Asks for the name of a new view of a list, and for its definition. */
export function newViewDialog(context, source, kind) {
  const name = h("input", { required: true, maxlength: 256, autocomplete: "off" });
  viewDialog(context, { title: `New view of ${source}`, submit: "Create", fields: [field("Name", name)],
    value: { from: source, where: { "!=": [{ var: "value" }, null] }, sortBy: [] },
    request: view => ({ method: "PUT", path: address`/v1/directors/${name.value || "NAME"}`, headers: { "If-None-Match": "*" }, body: { kind, view } }),
    done: () => context.go(address`/lists/${name.value}`) });
}

/** A dialog for a definition, with what belongs to the view as it is typed. */
function viewDialog(context, options) {
  const preview = new ViewPreview(context);
  jsonDialog(context, { ...options, label: "Definition as JSON", below: preview.node, typing: text => preview.show(() => typed(text)),
    note: "where and sortBy are expressions of JSON Logic over value, model, id, section, variables, parameters and claims." });
}

const boundTo = ({ parameters }) => Object.keys(parameters).length
  ? Object.entries(parameters).map(([name, value]) => `${name} = ${line(value)}`).join(", ") : "the view";

function totalsOf(totals) {
  return Object.entries(totals).map(([name, value]) => h("p", null, `${name}: ${line(value)}`));
}
