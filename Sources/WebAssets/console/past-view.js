/** The list at one of its versions, with marks at what that has changed, and beside it what that was. */
import { changeLines } from "./changes.js";
import { fill, h, number, text } from "./dom.js";
import { ListView } from "./list-view.js";
import { json } from "./parts.js";
import { PastList } from "./past-list.js";
import { marksOf } from "./retained.js";

export class PastView {
  #list;
  #past;
  #lost;
  #view;

  /** `lost` is called where rows cannot be loaded, since their version is no longer retained. */
  constructor(list, past, lost) {
    this.#list = list;
    this.#past = past;
    this.#lost = lost;
    this.node = h("div", { class: "then", hidden: true });
    this.title = h("h2");
    this.bar = h("div", { class: "bar" }, this.title);
    this.changes = h("div");
    this.value = h("section", { hidden: true, "aria-label": "Value" });
    this.beside = h("div", { class: "beside then", hidden: true }, h("section", { "aria-label": "What has changed" }, this.bar, this.changes), this.value);
  }

  /** What `show` takes. The first that is shown begins where the list is, so that its rows glide from there. */
  read(version) {
    const { name, version: now, sections } = this.#list, isWhole = sections.every(({ elements }) => Array.isArray(elements));
    if (!this.list) {
      this.list = new PastList(this.#past, isWhole ? { name, version: now, sections } : { name, version: -1, sections: [] });
      this.list.addEventListener("lost", this.#lost);
    }
    return this.list.read(version);
  }

  /** Shows what was read, with a link to the changeset. */
  show(read, changesetLink) {
    const { version, sections, changeset, before } = read;
    this.node.hidden = this.beside.hidden = false;
    const isOther = this.#view && !!this.#view.view.isSparse !== read.isSparse;
    // The other kind of view cannot draw what this one shows.
    if (isOther) this.#view.stop(), this.list.show(read);
    if (isOther || !this.#view) this.#make(read.isSparse);
    this.#view.mark([]);
    this.list.show(read);
    this.#view.view.drawNow();
    if (changeset) this.#view.mark(marksOf(changeset, sections));
    text(this.title, version ? `What version ${number(version)} changed` : "Before the first version");
    fill(this.bar, this.title, changeset && changesetLink);
    fill(this.changes, changeset ? changeLines(changeset, { before, after: sections })
      : h("p", { class: "note" }, version ? "That is no longer retained." : "Nothing had been published."));
  }

  /** Shows nothing, until another version is shown. */
  hide() {
    this.stop();
    this.#view = this.list = undefined;
    fill(this.node);
    this.node.hidden = this.beside.hidden = true;
  }

  stop() {
    this.#view?.stop();
  }

  redraw() {
    this.#view?.redraw();
  }

  #make(isSparse) {
    const nothing = () => {};
    this.#view = new ListView(this.list, { isSparse, canEdit: false, label: `${this.list.name} at an earlier version`, does: {
      selected: selection => this.#select(selection), open: nothing, tap: nothing, keeps: () => false } });
    fill(this.node, this.#view.node);
  }

  /** Shows the value that a row has. */
  #select(selection) {
    this.value.hidden = !selection;
    fill(this.value, selection && [h("h2", null, selection.element.id), json(selection.element.value)]);
  }
}
