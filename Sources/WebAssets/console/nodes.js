/** The nodes that share a database, on the page of the server: which there are, and whose charts are shown. */
import { fill, h, number } from "./dom.js";
import { state, timeCell } from "./parts.js";
import { table } from "./table.js";

const moods = { joining: "idle", serving: "good", leaving: "idle" };
const words = { joining: "joins", serving: "takes part", leaving: "leaves" };

/**
 * The section of the nodes; empty on a server that has its content for itself.
 *
 * `chosen` is the number of the node whose metrics are to be asked for, undefined where there are no nodes; `update` takes
 * what `GET /v1/nodes` lists, and `changed()` is called when another one was chosen.
 */
export class Nodes {
  node = h("section", { class: "nodes", hidden: true });
  chosen;

  constructor(changed) {
    this.table = table({ caption: "Nodes", key: row => row.node, sort: { id: "name" }, columns: columns(this, changed) });
    fill(this.node, h("h2", null, "Nodes"), this.table.node, h("p", { class: "note" },
      "Each node has all lists; changes of a list are made at its owner. Charts and figures are those of the node that is marked."));
  }

  update(nodes) {
    this.node.hidden = nodes.length === 0;
    // The one that was chosen may have gone.
    if (!nodes.some(({ node }) => node === this.chosen)) this.chosen = nodes.find(({ self }) => self)?.node ?? nodes[0]?.node;
    this.table.update(nodes);
  }
}

const columns = (nodes, changed) => [
  { id: "shown", title: "Shown", node: (row, cell, isNew) => {
    if (isNew) fill(cell, radio(row, () => {
      nodes.chosen = row.node;
      changed();
    }));
    cell.firstChild.checked = row.node === nodes.chosen;
  } },
  { id: "name", title: "Node", header: true, value: row => row.name },
  { id: "state", title: "State", value: row => row.state, node: (row, cell, isNew) =>
    state(moods[row.state] ?? "idle", words[row.state] ?? row.state, isNew ? cell.appendChild(h("span")) : cell.firstChild) },
  { id: "directors", title: "Owns", numeric: true, value: row => row.directors,
    text: row => `${number(row.directors)} ${row.directors === 1 ? "list" : "lists"}` },
  { id: "lease", title: "Lease ends", value: row => row.expiresAt, node: timeCell(row => row.expiresAt) },
  { id: "url", title: "Reached by the others at", value: row => row.url, optional: true },
];

function radio({ name }, choose) {
  return h("input", { type: "radio", name: "shown-node", "aria-label": `Show how ${name} is doing`, onchange: choose });
}
