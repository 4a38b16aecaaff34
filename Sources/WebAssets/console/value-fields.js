/**
 * Fields for a value's members beside its JSON, and both say the same: a field writes its member into the JSON, and what is typed
 * into the JSON is put into the fields. Which members there are, and of which kind, is guessed from the value and from others like it.
 */
import { field } from "./action.js";
import { fill, h, text, unique } from "./dom.js";
import { typed, write } from "./json.js";
import { pretty } from "./read-element.js";
import { isObject, kindOf, readControl } from "./value-kinds.js";

/** How many members have fields; from how many characters on a text has several lines. */
const most = 40, long = 120;

export class ValueFields {
  #fields = new Map();
  #isWriting = false;
  #isLocked = false;

  /**
   * @param {HTMLTextAreaElement} editor Has the JSON; `area` holds it, with its label.
   * @param {() => unknown[]} examples Gives other values like it.
   */
  constructor(editor, examples, area = field("Value as JSON", editor)) {
    Object.assign(this, { editor, examples });
    this.list = h("div", { class: "value-fields", role: "group", "aria-label": "Members", "data-derived": true });
    this.rest = h("p", { class: "note", hidden: true });
    this.fault = h("p", { class: "fault", id: unique("fault"), role: "status" });
    this.node = h("div", { class: "value-form" }, h("div", null, this.list, this.rest), h("div", { class: "as-json" }, area, this.fault));
    describe(editor, this.fault);
    editor.addEventListener("input", () => this.#isWriting || this.draw());
  }

  /** Whether a field has something that its member cannot be. */
  get hasFault() {
    return [...this.#fields.values()].some(({ fault }) => fault.textContent);
  }

  /** Throws what the first fault of a field is. */
  check() {
    const found = [...this.#fields.values()].find(({ fault }) => fault.textContent);
    if (found) throw new Error(`${found.name}: ${found.fault.textContent}`);
  }

  /** Shows what the server says of members beside them. */
  showFaults({ errors = [] }) {
    for (const { pointer = "", detail } of errors) {
      const [name] = pointer.split("/").slice(1).filter((part, n) => n > 0 || part !== "value");
      const found = [...this.#fields.values()].find(each => each.name === name?.replaceAll("~1", "/").replaceAll("~0", "~"));
      if (found) this.#tell(found, detail);
    }
  }

  lock(isLocked) {
    this.#isLocked = isLocked;
    this.editor.readOnly = isLocked;
    for (const { control } of this.#fields.values()) control[control.type === "checkbox" ? "disabled" : "readOnly"] = isLocked;
  }

  /** Puts the focus into the first field, or into the JSON. */
  focus() {
    (this.#fields.values().next().value?.control ?? this.editor).focus();
  }

  /** Puts into the fields what the JSON has. */
  draw() {
    const value = this.#read();
    if (value === undefined) return;
    const members = this.#members(value), shown = members.slice(0, most);
    this.#fields = new Map(shown.map(member => [member.key, this.#fields.get(member.key) ?? this.#make(member)]));
    for (const { key } of shown) this.#show(this.#fields.get(key), value);
    const nodes = [...this.#fields.values()].map(({ node }) => node);
    // What has the focus keeps it.
    if (nodes.some((node, n) => this.list.children[n] !== node) || nodes.length !== this.list.children.length) fill(this.list, nodes);
    this.node.classList.toggle("plain", !shown.length);
    this.rest.hidden = members.length <= most;
    text(this.rest, "Further members are in the JSON alone.");
  }

  /** The value, where it is JSON; undefined where it is not, which is said. */
  #read() {
    try {
      const value = this.editor.value.trim() ? typed(this.editor.value) : null;
      this.#fault("");
      return value;
    } catch (error) {
      this.#fault(error.message);
      return undefined;
    }
  }

  #fault(says) {
    text(this.fault, says);
    this.#mark(this.editor, this.fault);
  }

  /** The members as `{name, kind, key}`: those of the value, then those that others have besides. */
  #members(value) {
    if (!isObject(value)) return [];
    const kinds = new Map(Object.entries(value).map(([name, each]) => [name, kindOf(each)]));
    for (const other of this.examples().filter(isObject)) {
      for (const [name, each] of Object.entries(other)) if (!kinds.get(name)) kinds.set(name, kindOf(each));
    }
    return [...kinds].map(([name, kind]) => ({ name, kind: kind ?? "json", key: JSON.stringify([name, kind ?? "json"]) }));
  }

  #show(shown, value) {
    const { name, kind, control } = shown, has = Object.hasOwn(value, name), each = value[name];
    this.#tell(shown, "");
    if (kind === "boolean") {
      control.checked = each === true;
      control.indeterminate = !has || each === null;
    } else if (document.activeElement !== control) {
      control.value = !has || each === null && kind !== "json" ? "" : kind === "text" ? each : write(each, kind === "json" ? 2 : undefined);
      control.placeholder = has ? "" : "not set";
    }
  }

  #make({ name, kind }) {
    const shown = { name, kind, fault: h("p", { class: "fault", id: unique("fault"), role: "status" }) };
    const oninput = () => this.#typed(shown), isLong = this.examples().some(each => `${each?.[name] ?? ""}`.length > long);
    shown.control = kind === "boolean" ? h("input", { type: "checkbox", role: "switch", class: "switch", disabled: this.#isLocked, oninput })
      : kind === "json" ? h("textarea", { rows: 3, spellcheck: "false", readonly: this.#isLocked, oninput })
        : kind === "text" && isLong ? h("textarea", { rows: 3, class: "prose", dir: "auto", readonly: this.#isLocked, oninput })
          : h("input", { dir: "auto", autocomplete: "off", inputmode: kind === "number" ? "decimal" : null, readonly: this.#isLocked, oninput });
    shown.node = field(h("bdi", null, name), shown.control);
    shown.node.append(shown.fault);
    describe(shown.control, shown.fault);
    return shown;
  }

  /** A field was typed into: its member is written into the JSON, or it is said why that cannot be. */
  #typed(shown) {
    const value = this.#read(), { name, kind, control } = shown;
    if (!isObject(value)) return;
    try {
      const each = readControl(kind, control);
      const now = new Map(Object.entries(value));
      if (each === undefined) now.delete(name);
      else now.set(name, each);
      this.#tell(shown, "");
      this.editor.value = pretty(this.#ordered(now));
    } catch (error) {
      this.#tell(shown, error.message);
    }
    this.#isWriting = true;
    this.editor.dispatchEvent(new Event("input", { bubbles: true }));
    this.#isWriting = false;
  }

  /** Members in the order of their fields, so that one which was empty for a moment stands where it stood. */
  #ordered(members) {
    const names = new Set([...[...this.#fields.values()].map(({ name }) => name), ...members.keys()]);
    return Object.fromEntries([...names].filter(name => members.has(name)).map(name => [name, members.get(name)]));
  }

  #tell({ control, fault }, says) {
    text(fault, says);
    this.#mark(control, fault);
  }

  #mark(control, fault) {
    control.ariaInvalid = fault.textContent ? "true" : null;
  }
}

/** Has a control described by what is wrong with it, besides what it is described by. */
function describe(control, fault) {
  control.setAttribute("aria-describedby", [control.getAttribute("aria-describedby"), fault.id].filter(Boolean).join(" "));
}
