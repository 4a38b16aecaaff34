import { cellOf } from "./cells.js";
import { DenseView } from "./dense-view.js";
import { h, announce, unique } from "./dom.js";
import { Drag } from "./drag.js";
import { isSame, keyOf, neighbour } from "./places.js";
import { SparseView } from "./sparse-view.js";

/**
 * The published list, with one of its elements selected.
 *
 * It is a list box: arrows go from element to element, Enter opens the selected one, Space taps it, Alt with an arrow moves
 * it, Delete deletes it. `does` has `selected(selection)`, `open`, `tap`, `move(from, to)`, `remove`, and `keeps()`, which
 * says whether something hangs on the selection. A selection is `{path, section, element}`, or undefined; it has no path
 * while it is not known where the element is.
 */
export class ListView {
  selection;
  #marks = new Map();
  #marked = [];
  #does;

  constructor(list, { isSparse, canEdit, does, label }) {
    this.list = list;
    this.#does = does;
    this.view = new (isSparse ? SparseView : DenseView)(list, { drawn: () => this.#drawn() });
    this.box = this.view.node;
    for (const [name, value] of Object.entries({ role: "listbox", tabindex: "0", "aria-label": label })) this.box.setAttribute(name, value);
    this.vacant = h("p", { class: "vacant" });
    this.node = h("div", { class: ["screen", !canEdit && "fixed"] }, this.box, this.vacant);
    this.box.addEventListener("click", event => this.#clicked(event));
    this.box.addEventListener("dblclick", () => this.selection && does.open(this.selection));
    this.box.addEventListener("keydown", event => this.#pressed(event, canEdit));
    if (canEdit) this.drag = new Drag(this.view, this.box, (from, to) => does.move(from, to));
    queueMicrotask(() => this.#drawn());
  }

  stop() {
    this.view.stop();
    this.drag?.stop();
  }

  /** Selects the element at a place, and brings it into sight. */
  select(path, isAsked = true) {
    const element = path && this.view.elementAt(path);
    const before = this.selection;
    this.selection = element && { path, element, section: this.list.sections[path[0]] };
    if (path && isAsked) this.view.reveal(path);
    this.#point();
    if (before?.element !== element || !isSame(before?.path, path)) this.#does.selected(this.selection);
  }

  /** Selects an element wherever it is; without a place where that is not known. */
  selectElement({ section, element }) {
    const path = this.view.find(keyOf(element));
    if (path) return this.select(path);
    this.selection = { path: undefined, section, element };
    this.#point();
    this.#does.selected(this.selection);
  }

  /** Marks places of the list with a class each: `[[path, "deleted"]]`. */
  mark(marks) {
    this.#marks = new Map(marks.map(([path, name]) => [`${path}`, { path, name }]));
    this.#drawMarks();
  }

  /** Draws the rows anew that are there: what a row shows of its value has changed. */
  redraw() {
    for (const node of this.box.querySelectorAll(".row")) {
      const path = this.view.pathOf(node), element = path && this.view.elementAt(path);
      if (element) cellOf(element, node);
    }
  }

  /** Has the view as high as its room. */
  focus() {
    this.box.focus();
  }

  #drawn() {
    const elements = this.list.sections.reduce((sum, section) => sum + section.elements.length, 0);
    this.vacant.hidden = elements > 0 || this.list.version < 0;
    this.box.hidden = elements === 0;
    this.vacant.textContent = this.list.sections.length ? "The published list has sections, but no elements." : "The published list is empty.";
    if (this.selection) {
      const { element, path } = this.selection, found = this.view.find(keyOf(element), path);
      if (found) this.select(found, false);
      else if (this.view.isSparse || this.#does.keeps()) this.selection = { ...this.selection, path: undefined };
      else this.select(undefined);
    }
    this.#point();
    this.#drawMarks();
    this.#wanted();
  }

  /** Tells which node is selected. */
  #point() {
    const node = this.selection?.path && this.view.nodeAt(this.selection.path);
    if (this.pointed !== node) {
      this.pointed?.removeAttribute("aria-selected");
      this.pointed = node;
    }
    if (node) {
      node.id ||= unique("row");
      node.setAttribute("aria-selected", "true");
      this.box.setAttribute("aria-activedescendant", node.id);
    } else this.box.removeAttribute("aria-activedescendant");
  }

  #drawMarks() {
    for (const { node, name } of this.#marked) node.classList.remove(name);
    this.#marked = [...this.#marks.values()].flatMap(({ path, name }) => {
      const node = this.view.nodeAt(path);
      node?.classList.add(name);
      return node ? [{ node, name }] : [];
    });
  }

  #clicked(event) {
    const row = event.target.closest(".row");
    if (row) this.select(this.view.pathOf(row));
  }

  #pressed(event, canEdit) {
    const { key, altKey } = event, { selection } = this;
    if (event.ctrlKey || event.metaKey || event.target !== this.box) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (altKey && step && canEdit && selection) this.#move(step);
    else if (altKey) return;
    else if (step) this.#step(step, 1);
    else if (key === "PageDown" || key === "PageUp") this.#step(key === "PageDown" ? 1 : -1, this.view.pageSize);
    else if (key === "Home" || key === "End") this.#end(key === "End");
    else if (!selection) return;
    else if (key === "Enter") this.#does.open(selection);
    else if (key === " ") this.#does.tap(selection);
    else if (key === "Delete" && canEdit) this.#does.remove(selection);
    else return;
    event.preventDefault();
  }

  #move(step) {
    const from = this.selection.path, to = from && neighbour(this.list, from, step);
    if (!from) announce("The row is out of sight.");
    else if (to) this.#does.move(from, to);
    else announce(step < 0 ? "It is the first one already." : "It is the last one already.");
  }

  #step(step, times) {
    let path = this.selection?.path ?? this.target;
    if (!path) return this.#end(false);
    for (let n = 0; n < times; n++) {
      let next = path;
      // Sections without elements are passed over.
      do next = after(this.list, next, step); while (next && !this.list.sections[next[0]].elements.length);
      if (!next) break;
      path = next;
    }
    this.goTo(path);
  }

  #end(isLast) {
    const { sections } = this.list;
    const at = isLast ? sections.findLastIndex(({ elements }) => elements.length) : sections.findIndex(({ elements }) => elements.length);
    if (at >= 0) this.goTo([at, isLast ? sections[at].elements.length - 1 : 0]);
  }

  /** Selects a place as soon as its element is loaded. */
  goTo(path) {
    this.target = path;
    this.view.reveal(path);
    this.#wanted();
  }

  #wanted() {
    if (!this.target || !this.view.elementAt(this.target)) return;
    const path = this.target;
    this.target = undefined;
    this.select(path);
  }
}

/** The place above or below. */
function after({ sections }, [section, index], step) {
  const at = index + step;
  if (at >= 0 && at < sections[section].elements.length) return [section, at];
  const next = section + step;
  return sections[next] && [next, step > 0 ? 0 : Math.max(0, sections[next].elements.length - 1)];
}
