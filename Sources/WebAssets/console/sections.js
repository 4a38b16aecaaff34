/** The sections of a list as the working state has them, with their rows. */
import { tagOf } from "./api.js";
import { action, busy, field, problemLine, select } from "./action.js";
import { address, count, fill, h, number, text, unique } from "./dom.js";
import { line } from "./json.js";
import { jsonDialog } from "./json-dialog.js";
import { taken } from "./parts.js";
import { addressOf, directorPath, sectionPath } from "./places.js";
import { table } from "./table.js";
import { toast } from "./toasts.js";
import { elementAdded, sectionAdded, sectionDeleted, sectionMoved, sectionSaved } from "./undo.js";
import { rowSaved } from "./undo-definitions.js";
import { examplesOf } from "./value-kinds.js";

/** How many sections are shown. */
const most = 500;
/** What a list begins with where it has no adapter, or no section for elements, when an element is added. */
const firstAdapter = { model: "Item", cell: "ItemCell", identifier: "{id}" }, firstSection = "items";
/** A deleted section of at most so many elements is kept for Undo. */
const keptAtMost = 5000;

export class SectionsPanel {
  /** The sections of the working state, without their elements. */
  sections = [];

  constructor(context, { list, reloads, changed }) {
    Object.assign(this, { context, list, reloads, changed });
    this.canEdit = context.session.may("mutate", list.name);
    this.outcome = problemLine();
    this.rest = h("p", { class: "note", hidden: true });
    this.table = table({ caption: "Sections", key: row => row.key, empty: "No sections.", columns: [
      { id: "at", title: "#", numeric: true, value: row => row.at, text: row => `${row.at}` },
      { id: "id", title: "Section", header: true, value: row => row.section.id, node: (row, cell) => this.#name(row.section, cell) },
      { id: "holds", title: "Elements", numeric: true, value: row => sizeOf(row.section), text: row => number(sizeOf(row.section)) },
      { id: "collapsed", title: "Collapsed", node: (row, cell, isNew) => this.#collapsed(row, cell, isNew) },
      ...this.canEdit ? [{ id: "does", title: h("span", { class: "unseen" }, "Actions"), numeric: true, node: (row, cell, isNew) => this.#actions(row, cell, isNew) }] : [],
    ] });
    const heading = h("h2", { id: unique("sections") }, "Sections");
    this.node = h("section", { "aria-labelledby": heading.id, class: "sections" }, h("div", { class: "bar" }, heading,
      this.canEdit ? h("button", { type: "button", class: "push quiet", onclick: () => this.#add() }, "Add a section")
        : taken(context.session, "mutate", "change sections", list.name)),
    this.table.node, this.rest, this.outcome.node);
  }

  async update() {
    const path = `${directorPath(this.list.name)}/sections`;
    const { body, headers } = await this.context.api.get(path, { query: { elements: false, limit: most }, signal: this.context.signal });
    this.sections = body.sections;
    this.etag = tagOf(headers);
    const seen = new Map();
    this.table.update(body.sections.map((section, at) => {
      // Sections may have the same identifier.
      const times = (seen.get(section.id) ?? 0) + 1;
      seen.set(section.id, times);
      return { section, at, key: JSON.stringify([section.id, times]) };
    }));
    this.rest.hidden = body.total <= most;
    text(this.rest, `The first ${number(most)} of ${count(body.total, "section")} are shown.`);
  }

  #name(section, cell) {
    const shown = JSON.stringify(section);
    // What is in the cell may have the focus.
    if (cell.shown === shown) return;
    cell.shown = shown;
    fill(cell, h("span", null, section.headerTitle ?? section.headerView ?? section.id), " ",
      (section.headerTitle ?? section.headerView) && h("small", null, section.id),
      section.rows?.length > 0 && h("ul", { class: "rows-of" }, section.rows.map(row => h("li", null, h("span", null, row.id), " ",
        h("small", null, [row.type, row.cell ?? row.model, row.count !== undefined && count(row.count, "element"),
          row.hideWhen !== undefined && `hidden when ${line(row.hideWhen, 60)}`].filter(Boolean).join(" · ")), " ",
        this.canEdit && h("button", { type: "button", class: "quiet", "aria-label": `Edit the row ${row.id}`, onclick: () => this.#editRow(section, row) }, "Edit")))));
  }

  #query() {
    return this.reloads() ? { reload: true } : {};
  }

  #request(method, row, body) {
    return { method, ...this.#place(row.at), query: this.#query(), body };
  }

  /** Where a section is: by its identifier, or by its position where that does not tell; then nothing may have changed. */
  #place(at) {
    const { id } = this.sections[at], isPlain = !["", ".", ".."].includes(id);
    if (isPlain && this.#hasOneName(id)) return { path: sectionPath(this.list.name, id) };
    return { path: directorPath(this.list.name) + address`/sections/@${at}`, headers: { "If-Match": this.etag } };
  }

  #collapsed(row, cell, isNew) {
    cell.row = row;
    if (isNew) {
      cell.append(h("input", { type: "checkbox", role: "switch", class: "switch", disabled: !this.canEdit, onchange: event => {
        this.outcome.clear();
        busy(event.target, this.outcome, async () => {
          try {
            const before = cell.row.section, says = event.target.checked ? " was collapsed." : " was expanded.";
            const { body } = await this.context.api.send(this.#request("PATCH", cell.row, { isCollapsed: event.target.checked }));
            if (this.#hasOneName(before.id)) toast(sectionSaved(...this.#about({ before, after: body, says })));
            this.changed();
          } catch (error) {
            event.target.checked = !event.target.checked;
            throw error;
          }
        });
      } }));
    }
    cell.firstChild.setAttribute("aria-label", `${row.section.id} collapsed`);
    cell.firstChild.checked = !!row.section.isCollapsed;
  }

  #actions(row, cell, isNew) {
    cell.row = row;
    if (!isNew) return;
    const move = step => ({ method: "POST", path: `${directorPath(this.list.name)}/sections:move`, query: this.#query(),
      headers: { "If-Match": this.etag }, body: { from: cell.row.at, to: cell.row.at + step } });
    const { id } = row.section, done = () => this.changed();
    cell.append(h("span", { class: "tools" },
      h("button", { type: "button", class: "quiet", "aria-label": `Edit the section ${id}`, onclick: () => this.#edit(cell.row) }, "Edit"),
      action(this.context, { label: "↑", name: `Move the section ${id} up`, request: () => move(-1), before: () => cell.row.at, done,
        undo: (_, at) => sectionMoved(...this.#about({ id, from: at, to: at - 1 })) }),
      action(this.context, { label: "Delete", name: `Delete the section ${id}`, request: () => this.#request("DELETE", cell.row), done,
        danger: () => `The section “${id}” and ${count(sizeOf(cell.row.section), "element")} in it are deleted from “${this.list.name}”.${
          this.#isLasting(cell.row.section) ? " This cannot be taken back." : ""}`,
        before: () => this.#whole(cell.row), undo: (_, known) => known && sectionDeleted(...this.#about(known)) })));
  }

  /** What every note of a change is given. */
  #about(more) {
    return [this.context, { list: this.list, query: this.#query(), changed: () => this.changed(), ...more }];
  }

  #hasOneName(id) {
    return this.sections.filter(each => each.id === id).length === 1;
  }

  /** Rows may have hooks, which go with their section; and a long one is not kept for Undo. */
  #isLasting({ id, rows, count: size }) {
    return !!rows || size > keptAtMost || !this.#hasOneName(id);
  }

  /** The whole of a section that is about to be deleted, and where it is. */
  async #whole({ section, at }) {
    if (this.#isLasting(section)) return undefined;
    const { body } = await this.context.api.get(this.#place(at).path, { signal: this.context.signal });
    return { at, before: body };
  }

  #edit(row) {
    const { rows, count: size, elements, ...value } = row.section;
    jsonDialog(this.context, { title: `Section ${row.section.id}`, label: "Members as JSON", value,
      note: "headerTitle, footerTitle, headerView, footerView, isCollapsed, indexTitle; null takes one away.",
      request: body => this.#request("PATCH", row, body), done: () => this.changed(), before: () => row.section,
      undo: ({ body }, before) => this.#hasOneName(before.id) && sectionSaved(...this.#about({ before, after: body })) });
  }

  #editRow(section, { count: size, elements, ...value }) {
    jsonDialog(this.context, { title: `Row ${value.id}`, label: "Members as JSON", value,
      note: "Its elements stay. null takes a member away.",
      request: body => ({ method: "PATCH", path: sectionPath(this.list.name, section.id) + address`/rows/${addressOf(value.id)}`, query: this.#query(), body }),
      before: () => ({ count: size, elements, ...value }), undo: ({ body }, before) => this.#hasOneName(section.id) && rowSaved(this.context, {
        list: this.list, section: section.id, before, after: body, changed: () => this.changed() }), done: () => this.changed() });
  }

  #add() {
    jsonDialog(this.context, { title: "Add a section", label: "Section as JSON", value: { id: "section", headerTitle: "Title", elements: [] }, submit: "Add",
      request: body => ({ method: "POST", path: `${directorPath(this.list.name)}/sections`, query: this.#query(), body }),
      undo: ({ body }) => !this.sections.some(({ id }) => id === body.id) && sectionAdded(...this.#about({ after: body })), done: () => this.changed() });
  }

  /** Adds what an element cannot be without, unless it is there by now: this page may not have heard of it yet. */
  async #begin(lacks) {
    const { api } = this.context, path = `${directorPath(this.list.name)}/adapters`, { model, ...adapter } = firstAdapter;
    const add = (path, body) => api.put(path, body, { headers: { "If-None-Match": "*" } }).catch(error => {
      if (error.status !== 412) throw error;
    });
    if (lacks.adapter && !(await api.get(path)).body.adapters.some(each => each.model === model)) await add(path + address`/${model}`, adapter);
    if (!lacks.section) return;
    await this.update();
    if (!this.sections.some(({ id }) => id === firstSection)) await add(sectionPath(this.list.name, firstSection), { elements: [] });
  }

  /** Adds an element: to a section or a model row, at the end or before the selected one. */
  addElement({ adapters, selection }) {
    const lacks = { adapter: !adapters.length, section: false };
    if (lacks.adapter) adapters = [firstAdapter];
    const models = adapters.map(each => each.model);
    const choices = this.sections.flatMap((section, at) => section.rows
      ? section.rows.filter(row => row.type === "model").map(row => [`${at} ${row.id}`, `${section.headerTitle ?? section.id} / ${row.id}`])
      : [[`${at}`, section.headerTitle ?? section.id]]);
    if (lacks.adapter && !this.context.session.may("define", this.list.name)) {
      return this.outcome.show(new Error("An element needs an adapter for its model, which you may not add."));
    }
    if (!choices.length) lacks.section = !!choices.push(["new", firstSection]);
    const at = this.sections.findIndex(({ id }) => id === selection?.section.id);
    const start = selection?.element.row === undefined ? `${at}` : `${at} ${selection.element.row}`;
    const where = select(choices, choices.some(([value]) => value === start) ? start : choices[0][0]);
    const model = select(models, models.includes(selection?.element.model) ? selection.element.model : models[0]);
    const place = select([["", "at the end"], ["@first", "at the beginning"], ...selection ? [[addressOf(selection.element.id), `before ${selection.element.id}`]] : []]);
    const note = [lacks.section && `the section “${firstSection}”`, lacks.adapter && `the adapter “${firstAdapter.model}”`].filter(Boolean).join(" and ");
    jsonDialog(this.context, { title: "Add an element", label: "Value as JSON", note: note && `With it ${note} is added, since the list has none.`,
      before: () => this.#begin(lacks), value: selection?.element.model ? selection.element.value : blank(adapters[0]), submit: "Add",
      examples: () => examplesOf(this.list, model.value), fields: [field("Section", where), field("Model", model), field("Place", place)], done: () => this.changed(),
      undo: ({ body }) => this.sections.filter(({ id }) => id === body.section).length < 2 && elementAdded(...this.#about({ after: body })),
      request: body => {
        const [section, ...row] = where.value.split(" ");
        const { path, headers } = section === "new" ? { path: sectionPath(this.list.name, firstSection) } : this.#place(Number(section));
        const holder = row.length ? address`/rows/${addressOf(row.join(" "))}` : "";
        return { method: "POST", path: `${path}${holder}/elements`, headers, query: { ...this.#query(), at: place.value || undefined },
          body: { model: model.value, value: body } };
      } });
  }
}

/** A value that has what the adapter makes the identifier of. */
function blank({ identifier }) {
  return Object.fromEntries([...identifier.matchAll(/\{([^{}/]+)\}/g)].map(([, name]) => [name, "new"]));
}

/** How many elements a section has; a constant row counts as one. */
function sizeOf({ count: size, rows }) {
  return size ?? rows?.reduce((sum, row) => sum + (row.count ?? 1), 0) ?? 0;
}
