/** The variables of a list: a boolean is a switch, the others are JSON in a field. */
import { action, busy, curlButton, field, problemLine } from "./action.js";
import { address, h, unique } from "./dom.js";
import { jsonDialog } from "./json-dialog.js";
import { parse, write } from "./json.js";
import { taken } from "./parts.js";
import { directorPath } from "./places.js";
import { table } from "./table.js";
import { toast } from "./toasts.js";
import { variableSet } from "./undo.js";

export class VariablesPanel {
  #now = new Map();

  constructor(context, { list, reloads, changed }) {
    Object.assign(this, { context, list, reloads, changed });
    this.canEdit = context.session.may("mutate", list.name);
    this.outcome = problemLine();
    this.table = table({ caption: "Variables", key: row => row.name, empty: "No variables.", columns: [
      { id: "name", title: "Name", value: row => row.name, header: true },
      { id: "value", title: "Value", node: (row, cell, isNew) => this.#value(row, cell, isNew) },
      ...this.canEdit ? [{ id: "does", title: h("span", { class: "unseen" }, "Actions"), numeric: true, node: (row, cell, isNew) => {
        if (isNew) cell.append(h("span", { class: "tools" }, this.#deletion(row.name)));
      } }] : [],
    ] });
    const heading = h("h2", { id: unique("variables") }, "Variables");
    this.node = h("section", { "aria-labelledby": heading.id }, h("div", { class: "bar" }, heading,
      this.canEdit ? h("button", { type: "button", class: "push quiet", onclick: () => this.#add() }, "Add a variable")
        : taken(context.session, "mutate", "set variables", list.name)), this.table.node, this.outcome.node);
  }

  async update() {
    const { body } = await this.context.api.get(`${directorPath(this.list.name)}/variables`, { signal: this.context.signal });
    this.#now = new Map(Object.entries(body.variables));
    this.table.update([...this.#now].map(([name, value]) => ({ name, value })));
  }

  #setting(name, value) {
    return { method: "PUT", path: directorPath(this.list.name) + address`/variables/${name}`, query: this.reloads() ? { reload: true } : {}, body: value };
  }

  /** The cell keeps its control as long as the value is of the same kind; what is being typed stays. */
  #value({ name, value }, cell) {
    const isSwitch = typeof value === "boolean";
    let control = cell.firstChild?.firstChild;
    if (!control || (control.type === "checkbox") !== isSwitch) {
      control = isSwitch ? this.#switch(name) : this.#field(name);
      cell.replaceChildren(h("span", { class: "action" }, control,
        this.canEdit && curlButton(this.context, () => this.#setting(name, isSwitch ? !this.#now.get(name) : parse(control.value)), `Set ${name}`)));
    }
    if (isSwitch) control.checked = value;
    else if (document.activeElement !== control) control.value = write(value);
  }

  #switch(name) {
    return h("input", { type: "checkbox", role: "switch", class: "switch", "aria-label": name, disabled: !this.canEdit,
      onchange: event => this.#set(name, event.target.checked, event.target) });
  }

  #field(name) {
    return h("input", { "aria-label": name, class: "code", readonly: !this.canEdit, spellcheck: "false", onchange: event => {
      this.outcome.clear();
      try {
        this.#set(name, parse(event.target.value), event.target);
      } catch (error) {
        this.outcome.show(new Error(`${name}: this is not JSON: ${error.message}`));
      }
    }, onkeydown: event => {
      if (event.key === "Escape") event.target.value = write(this.#now.get(name));
    } });
  }

  #set(name, value, control) {
    this.outcome.clear();
    busy(control, this.outcome, async () => {
      const before = this.#now.get(name), setting = this.#setting(name, value);
      try {
        await this.context.api.send(setting);
        toast(this.#undo(name, before, value, setting.query));
        this.changed();
      } catch (error) {
        if (control.type === "checkbox") control.checked = this.#now.get(name);
        throw error;
      }
    });
  }

  #undo(name, before, after, query) {
    return variableSet(this.context, { list: this.list, name, before, after, query, changed: () => this.changed() });
  }

  #deletion(name) {
    return action(this.context, { label: "Delete", name: `Delete the variable ${name}`, danger: `The variable “${name}” of “${this.list.name}” is removed; rows that read it read null.`,
      request: () => ({ ...this.#setting(name), method: "DELETE" }),
      before: () => this.#now.get(name), undo: (_, before) => this.#undo(name, before, undefined, this.#setting(name).query), done: () => this.changed() });
  }

  #add() {
    const name = h("input", { required: true, maxlength: 256 });
    jsonDialog(this.context, { title: "Add a variable", label: "Value as JSON", value: true, submit: "Add", fields: [field("Name", name)],
      before: () => this.#now.get(name.value), undo: ({ body }, before) => this.#undo(name.value, before, body, this.#setting(name.value).query),
      request: value => this.#setting(name.value || "NAME", value), done: () => this.changed() });
  }
}
