import { h } from "./dom.js";

/** Which rows of a table are chosen: with checkboxes, a range with Shift, and the arrow keys from row to row. */
export class Selection {
  chosen = new Set();
  #rows = [];
  #boxes = new Map();
  #last;
  /** Called when other rows are chosen, or there are others. */
  changed = () => {};

  /** @param {(row: {id: string}) => string} nameOf What the checkbox of a row is called. */
  constructor(nameOf) {
    this.nameOf = nameOf;
  }

  /** The checkbox of a row. */
  box(row) {
    const box = h("input", { type: "checkbox", "aria-label": this.nameOf(row),
      onclick: event => this.#choose(row.id, box.checked, event.shiftKey), onkeydown: event => this.#key(event, row.id) });
    this.#boxes.set(row.id, box);
    return box;
  }

  /** Takes the rows that there are now, in the order in which the table shows them. */
  update(rows, shown) {
    this.#rows = [...rows].sort((a, b) => shown.nodeOf(a.id).rowIndex - shown.nodeOf(b.id).rowIndex);
    const known = new Set(rows.map(({ id }) => id));
    for (const id of this.chosen) if (!known.has(id)) this.chosen.delete(id);
    for (const id of this.#boxes.keys()) if (!known.has(id)) this.#boxes.delete(id);
    this.#draw();
  }

  get rows() {
    return this.#rows.filter(({ id }) => this.chosen.has(id));
  }

  get all() {
    return this.#rows;
  }

  toggleAll(isChosen) {
    this.chosen = new Set(isChosen ? this.#rows.map(({ id }) => id) : []);
    this.#draw();
  }

  #choose(id, isChosen, isRange) {
    const places = [id, isRange ? this.#last ?? id : id].map(each => this.#rows.findIndex(row => row.id === each)).sort((a, b) => a - b);
    for (const row of this.#rows.slice(Math.max(0, places[0]), places[1] + 1)) {
      if (isChosen) this.chosen.add(row.id);
      else this.chosen.delete(row.id);
    }
    this.#last = id;
    this.#draw();
  }

  #key(event, id) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = this.#rows[this.#rows.findIndex(row => row.id === id) + step];
    if (!next) return;
    if (event.shiftKey) {
      this.chosen.add(id).add(next.id);
      this.#last = next.id;
      this.#draw();
    }
    this.#boxes.get(next.id)?.focus();
  }

  #draw() {
    for (const [id, box] of this.#boxes) box.checked = this.chosen.has(id);
    this.changed();
  }
}
