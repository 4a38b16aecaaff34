/** The selected element: its value in the working state, to edit, to move, to delete, and to tap. */
import { tagOf } from "./api.js";
import { action, busy, command, curlButton, problemLine } from "./action.js";
import { changeLines, summaryOf } from "./changes.js";
import { showConflict } from "./conflict.js";
import { announce, fill, h, text, unique } from "./dom.js";
import { drafts } from "./drafts.js";
import { typed } from "./json.js";
import { saidElsewhere } from "./live.js";
import { taken } from "./parts.js";
import { addressOf, directorPath, elementPath, isConstantRow, keyOf } from "./places.js";
import { Gone, pretty, readElement, withValue } from "./read-element.js";
import { Tap } from "./tap.js";
import { toast } from "./toasts.js";
import { elementDeleted, elementSaved } from "./undo.js";
import { ValueFields } from "./value-fields.js";
import { examplesOf } from "./value-kinds.js";

/**
 * @param {object} options `list`; `reloads()` says whether each change is published; `changed()` is called after one;
 *   `move(step)` and `back()`, which leads to the list again; `goTo(selection)` selects another element of the list
 */
export class Inspector {
  #selection;
  /** What was read: `{etag, body, text}`. */
  #read;
  #reading = 0;
  /** Whether the value has not come, since the server was away or wanted a token. */
  isUnread = false;

  constructor(context, options) {
    Object.assign(this, { context, ...options });
    const { list } = this;
    this.canEdit = context.session.may("mutate", list.name);
    this.heading = h("h2", { id: unique("element") });
    this.facts = h("p", { class: "muted about" });
    this.state = h("p", { class: "note", role: "status" });
    this.outcome = problemLine();
    this.editor = h("textarea", { rows: 9, spellcheck: "false", readonly: !this.canEdit, oninput: () => (this.#keepDraft(), this.#drawState()) });
    this.fields = new ValueFields(this.editor, () => examplesOf(list, this.#selection?.element.model));
    this.fields.node.addEventListener("keydown", event => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#save();
      else if (event.key === "Escape") this.back();
    });
    this.result = h("div", { class: "result" });
    this.buttons = h("div", { class: "actions" });
    this.tapping = new Tap(context, { list, selection: () => this.#selection });
    this.unsaved = h("p", { class: "note unsaved", hidden: true });
    this.body = h("div", { hidden: true }, this.facts, this.fields.node, this.state, this.buttons, this.outcome.node, this.result, this.tapping.node);
    this.hint = h("p", { class: "note" }, this.canEdit ? "Select an element to see its value, to change it, or to tap it." : "Select an element to see its value, or to tap it.");
    this.node = h("section", { "aria-labelledby": this.heading.id, class: "inspector" }, this.heading, this.hint, this.body, this.unsaved);
    text(this.heading, "Element");
    this.revertButton = h("button", { type: "button", onclick: () => this.#revert() }, "Revert");
    if (this.canEdit) this.#makeButtons();
    else fill(this.buttons, taken(context.session, "mutate", "change this element", list.name), this.revertButton);
    this.#drawUnsaved();
  }

  #makeButtons() {
    this.saveButton = h("button", { type: "button", class: "primary", onclick: () => this.#save() }, "Save");
    const dry = h("button", { type: "button", onclick: () => this.#dryRun(dry) }, "Dry run");
    const up = h("button", { type: "button", "aria-label": "Move up", onclick: () => this.move(-1) }, "↑");
    const down = h("button", { type: "button", "aria-label": "Move down", onclick: () => this.move(1) }, "↓");
    this.deletion = action(this.context, { label: "Delete", name: "Delete the element", request: () => this.#deletion(),
      before: () => this.#isLasting ? undefined : readElement(this.context, this.list, this.#selection),
      undo: (_, known) => known && elementDeleted(this.context, { list: this.list, element: this.deleted, before: known.body, query: this.#query(), changed: this.changed }),
      danger: () => `${this.#selection.element.id} is deleted from “${this.list.name}”${this.reloads() ? ", on every screen that shows the list" : "; screens show it until the next reload"}.${this.#isLasting ? " This cannot be taken back." : ""}`,
      done: () => {
        drafts.delete(this.deleting);
        if (this.#selection && `${this.#place}` === `${this.deleting}`) this.#revert();
        this.changed();
      } });
    fill(this.buttons, h("span", { class: "action" }, this.saveButton, curlButton(this.context, () => this.#saving(), "Save")), dry, this.revertButton, up, down, this.deletion);
  }

  /** Shows another selection, or none. What is being edited stays while it is the same element. */
  select(selection) {
    const before = this.#selection && nameOf(this.#selection), isOther = !selection || nameOf(selection) !== before;
    this.#selection = selection;
    this.hint.hidden = !!selection;
    this.body.hidden = !selection;
    if (isOther) this.#drawUnsaved();
    if (!selection) return void text(this.heading, "Element");
    const { element, path, section } = selection;
    text(this.heading, element.id);
    const facts = [path && `[${path.join(", ")}]`, `section ${section.id}`, element.row && `row ${element.row}`, element.model && `model ${element.model}`,
      element.cell && `cell ${element.cell}`, element.height !== undefined && `height ${element.height}`];
    text(this.facts, facts.filter(Boolean).join(" · "));
    if (isOther) {
      this.#read = undefined;
      this.outcome.clear();
      fill(this.result);
      this.tapping.clear();
      this.#write("");
      this.#takeDraft();
      this.#lock();
    }
    this.refresh();
  }

  /** Selects the element that was typed in last, where something of the list was not saved when the page was left. */
  takeUp() {
    const last = drafts.within("element", this.list.name).at(-1);
    if (last && !this.#selection) this.goTo(last.selection);
  }

  get #place() {
    return ["element", this.list.name, nameOf(this.#selection)];
  }

  /** Keeps what is typed until it is saved or taken back, whatever is selected or shown meanwhile. */
  #keepDraft() {
    const { section, element } = this.#selection;
    if (this.isDirty) drafts.set(this.#place, { read: this.#read, typed: this.editor.value, selection: { section: { id: section.id }, element } });
    else drafts.delete(this.#place);
  }

  /** Puts back what was typed for the element before. */
  #takeDraft() {
    const draft = drafts.get(this.#place);
    if (!draft) return;
    this.#read = draft.read;
    this.#write(draft.typed);
    this.#drawState();
  }

  /** What is not read yet, or may not be changed, takes no typing. */
  #lock() {
    this.fields.lock(!this.canEdit || !this.#read);
  }

  /** Says which other elements of the list have something that is not saved. */
  #drawUnsaved() {
    const current = this.#selection && nameOf(this.#selection);
    const others = drafts.within("element", this.list.name).filter(({ selection }) => nameOf(selection) !== current);
    this.unsaved.hidden = others.length === 0;
    fill(this.unsaved, "Not saved: ", others.map(({ selection }) =>
      h("button", { type: "button", class: "quiet", onclick: () => this.goTo(selection) }, selection.element.id)));
  }

  /** Reads the value again, unless it is being edited. */
  async refresh() {
    if (!this.#selection || this.isDirty) return;
    const reading = ++this.#reading, selection = this.#selection;
    try {
      const read = await readElement(this.context, this.list, this.#selection);
      if (reading !== this.#reading || selection !== this.#selection || this.isDirty) return;
      const isNew = read.text !== this.#read?.text;
      this.#read = read;
      this.isUnread = false;
      this.#lock();
      if (isNew) this.#show();
      this.outcome.clear();
    } catch (error) {
      if (reading !== this.#reading || this.context.signal.aborted) return;
      this.isUnread = saidElsewhere.includes(error.status);
      if (this.isUnread) return;
      this.#read = undefined;
      this.#lock();
      const isGone = error instanceof Gone || error.status === 404;
      if (isGone) this.#write("");
      else this.outcome.show(error);
      text(this.state, isGone ? error.says ?? Gone.says : "");
      return;
    }
    this.#drawState();
  }

  /** Puts the focus where the value is edited. */
  focus() {
    this.fields.focus();
  }

  #write(value) {
    this.editor.value = value;
    this.fields.draw();
  }

  remove() {
    this.deletion?.run();
  }

  get #path() {
    return elementPath(this.list.name, this.#selection.section.id, this.#selection.element);
  }

  get isDirty() {
    return !!this.#read && (this.editor.value !== this.#read.text || this.fields.hasFault);
  }

  #show() {
    this.#write(this.#read?.text ?? "");
    fill(this.result);
    this.outcome.clear();
  }

  #drawState() {
    if (!this.#read) return;
    const isPublished = this.#read.text === pretty(this.#selection.element.value);
    text(this.state, this.isDirty ? "Changed here, not saved." : isPublished ? "" : "The working state has this value; it is not yet reloaded.");
    this.revertButton.disabled = !this.isDirty;
    if (this.canEdit) this.saveButton.disabled = !this.isDirty;
    else this.revertButton.hidden = !this.isDirty;
  }

  #query() {
    return this.reloads() ? { reload: true } : {};
  }

  /** A constant row may have hooks, which go with it and do not come back. */
  get #isLasting() {
    return isConstantRow(this.#selection.element);
  }

  #deletion() {
    this.deleting = this.#place;
    this.deleted = this.#selection.element;
    return { method: "DELETE", path: this.#path, query: this.#query() };
  }

  /** The request that saves what is in the editor; throws where it is not JSON. */
  #saving() {
    if (!this.#read) throw new Error("The element has not been read.");
    this.fields.check();
    const body = withValue(this.#selection.element, this.#read.body, typed(this.editor.value));
    return { method: "PUT", path: this.#path, query: this.#query(), headers: { "If-Match": this.#read.etag }, body };
  }

  #revert() {
    this.#show();
    this.#keepDraft();
    this.#drawState();
  }

  #save() {
    if (!this.canEdit || !this.isDirty) return;
    this.outcome.clear();
    fill(this.result);
    busy(this.saveButton, this.outcome, () => this.#send());
  }

  /** Meanwhile another element may be selected, which must not take the answer for its own, and more may be typed. */
  async #send(attempt = 1) {
    const selection = this.#selection, place = this.#place, base = this.#read, sent = this.editor.value;
    const isShown = () => !!this.#selection && nameOf(this.#selection) === nameOf(selection), { id } = selection.element, query = this.#query();
    try {
      const { body, headers } = await this.context.api.send(this.#saving());
      drafts.delete(place);
      toast(elementSaved(this.context, { list: this.list, selection, before: base.body, after: body, query, changed: this.changed }));
      if (isShown()) {
        this.#read = { etag: tagOf(headers), body: { ...base.body, ...body }, text: pretty(body.value ?? typed(sent)) };
        if (this.editor.value === sent) this.#write(this.#read.text);
        this.#keepDraft();
        this.#drawState();
      } else this.#drawUnsaved();
      this.changed();
    } catch (error) {
      const theirs = error.status === 412 && isShown() && await readElement(this.context, this.list, selection);
      if (!isShown()) throw new Error(`${id} was not saved: ${error.message}`);
      if (!theirs) {
        this.fields.showFaults(error);
        throw error;
      }
      // The director has another revision, but this element is as it was read.
      if (theirs.text === base.text && attempt < 4) {
        this.#read = theirs;
        return this.#send(attempt + 1);
      }
      this.#conflict(theirs);
    }
  }

  /** Shows both values where somebody was faster, and lets the user choose. */
  #conflict(theirs) {
    const choose = does => {
      this.#read = theirs;
      does();
      this.#keepDraft();
      this.#drawState();
      this.editor.focus();
    };
    showConflict(this.result, { mine: this.editor.value, theirs: theirs.text, keep: () => choose(() => this.#save()), take: () => choose(() => this.#show()) });
    announce("Conflict: somebody else has changed this element. Choose which value stays.", true);
    fill(this.state);
  }

  /** Shows the changeset that saving and a reload would lead to. */
  #dryRun(button) {
    this.outcome.clear();
    busy(button, this.outcome, async () => {
      const request = this.#saving(), { element, section } = this.#selection;
      const place = { section: addressOf(section.id), row: element.row === undefined ? undefined : addressOf(element.row) };
      const operation = isConstantRow(element) ? { op: "setRow", ...place, value: request.body }
        : { op: "setElement", ...place, element: addressOf(element.id), value: request.body };
      const dry = { method: "POST", path: `${directorPath(this.list.name)}/operations`, body: { operations: [operation], reload: true, dryRun: true } };
      const { body } = await this.context.api.send(dry);
      fill(this.result, h("h3", null, `A reload would send: ${summaryOf(body)}`), changeLines(body, { most: 50 }),
        h("details", { class: "curl-line" }, h("summary", null, "curl"), h("pre", { tabindex: "0" }, h("code", null, command(this.context, dry)))));
      announce(`A reload would send: ${summaryOf(body)}`);
    });
  }
}

/** What tells a selected element from others. */
const nameOf = ({ section, element }) => `${section.id} ${keyOf(element)}`;
