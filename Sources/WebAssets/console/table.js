import { fill, h, skeleton, text } from "./dom.js";
import { fitting } from "./fit-table.js";

/**
 * A table whose rows keep their nodes while data changes.
 *
 *     const shown = table({ caption: "Lists", key: row => row.name, empty: "No lists", columns: [
 *       { id: "name", title: "Name", value: row => row.name, node: (row, cell) => … },
 *       { id: "count", title: "Elements", value: row => row.count, text: row => number(row.count), numeric: true },
 *     ] });
 *     main.append(shown.node); shown.update(rows);
 *
 * A column has `value` (what it is sorted by; without it, it cannot be), and `text(row)` (default: the value) or
 * `node(row, cell, isNew)`, which fills a cell and is called again with it for each new state of the row. `header`: the
 * column names the row. `numeric`: tabular figures, to the right. `optional`: left out where the
 * table has no room for it; where that is not enough, each row is a card with everything, each cell with its title.
 * `update(rows)` sorts anew only while nobody is in the table, so that nothing moves under a pointer.
 */
export function table({ caption, columns, key, empty = "Nothing here", sort }) {
  const body = h("tbody"), entries = new Map();
  let rows = [], order = sort ?? { id: undefined, isDescending: false };
  const heads = columns.map(column => head(column, () => {
    order = { id: column.id, isDescending: order.id === column.id ? !order.isDescending : !!column.numeric };
    draw(true);
  }));
  // Where rows are cards, which have no heads.
  const orders = columns.filter(({ value, title }) => value && typeof title === "string").flatMap(({ id, title }) =>
    [false, true].map(isDescending => ({ id, isDescending, says: `${title}, ${isDescending ? "descending" : "ascending"}` })));
  const chosen = h("select", { onchange: () => {
    order = orders[chosen.value] ?? { id: undefined, isDescending: false };
    draw(true);
  } }, h("option", { value: -1 }, "as they come"), orders.map(({ says }, n) => h("option", { value: n }, says)));
  const sorter = h("label", { class: "sorter", hidden: true }, "Sort by ", chosen);
  // Before the first answer nobody knows whether there is nothing.
  const vacant = h("p", { class: "vacant", hidden: true }, empty), waiting = skeleton();
  const grid = h("table", null, h("caption", { class: "unseen" }, caption), h("thead", null, h("tr", null, heads)), body);
  const node = h("div", { class: "table" }, waiting, sorter, grid, vacant);
  grid.hidden = true;
  const fit = fitting(node, grid);

  function sorted() {
    const column = columns.find(({ id }) => id === order.id);
    if (!column) return rows;
    const sign = order.isDescending ? -1 : 1;
    return [...rows].sort((a, b) => sign * compare(column.value(a), column.value(b)));
  }

  function draw(isAsked) {
    for (const [n, column] of columns.entries()) {
      if (column.value) heads[n].setAttribute("aria-sort", sortOf(column, order));
    }
    chosen.value = orders.findIndex(({ id, isDescending }) => id === order.id && isDescending === order.isDescending);
    const isBusy = !isAsked && (body.matches(":hover") || body.contains(document.activeElement));
    const wanted = isBusy ? [...rows].sort((a, b) => placeOf(a) - placeOf(b)) : sorted();
    const known = new Set(rows.map(key)), before = entries.size;
    for (const [name, entry] of entries) {
      if (!known.has(name)) entry.remove(), entries.delete(name);
    }
    const isOther = entries.size < before || entries.size < rows.length;
    wanted.forEach((row, n) => {
      const entry = entries.get(key(row)) ?? make(row);
      drawRow(entry, row, columns);
      if (body.children[n] !== entry) body.insertBefore(entry, body.children[n] ?? null);
    });
    waiting.remove();
    vacant.hidden = rows.length > 0;
    grid.hidden = rows.length === 0;
    sorter.hidden = rows.length < 2 || orders.length === 0;
    fit(isOther);
  }

  function placeOf(row) {
    const entry = entries.get(key(row));
    return entry ? entry.rowIndex : Infinity;
  }

  function make(row) {
    const entry = h("tr", null, columns.map(column => h(column.header ? "th" : "td",
      { scope: column.header && "row", class: classOf(column), "data-title": titleOf(column), dir: !column.numeric && "auto" })));
    entries.set(key(row), entry);
    return entry;
  }

  return {
    node,
    update(next) {
      rows = next;
      draw(false);
    },
    /** The row's node, to mark or to focus it. */
    nodeOf: name => entries.get(name),
    /** Says something else where there are no rows. */
    setEmpty: (...content) => void fill(vacant, ...content),
  };
}

function head(column, choose) {
  const content = column.value ? h("button", { type: "button", onclick: choose }, column.title) : column.title;
  return h("th", { scope: "col", class: classOf(column) }, content);
}

/** A title that is a node is for those who cannot see the column. */
const titleOf = ({ title }) => typeof title === "string" ? title : null;

const classOf = ({ numeric, optional }) => [numeric && "numeric", optional && "optional"].filter(Boolean).join(" ") || null;

const sortOf = ({ id }, order) => id !== order.id ? "none" : order.isDescending ? "descending" : "ascending";

function drawRow(entry, row, columns) {
  columns.forEach((column, n) => {
    const cell = entry.children[n], isNew = !cell.dataset.drawn;
    cell.dataset.drawn = "true";
    if (column.node) column.node(row, cell, isNew);
    else text(cell, column.text ? column.text(row) : column.value(row) ?? "–");
  });
}

const collator = new Intl.Collator("en", { numeric: true });

/** What is missing comes first. */
function compare(a, b) {
  if (a === b) return 0;
  if (a === undefined || a === null) return -1;
  if (b === undefined || b === null) return 1;
  return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(`${a}`, `${b}`);
}
