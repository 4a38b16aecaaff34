import { address, count, fill, h, link, number, text, when } from "./dom.js";
import { action } from "./action.js";
import { isShown, missing, state } from "./parts.js";
import { table } from "./table.js";

const limit = 200;

/** Who follows what: a row for each stream and list; on a tab of a list, who follows that list. */
export function showStreams(context) {
  const { main, api, session, signal, address: { params: { name: only }, query } } = context;
  if (!session.may("operate")) return void fill(main, missing(session, "operate", "see streams"));
  let director = only ?? query.get("director") ?? "", offset = 0, isTold = true;
  const chooser = h("input", { type: "search", "aria-label": "List", placeholder: "List", spellcheck: "false", value: director,
    "data-search": true });
  const says = h("p", { role: "status" }), pager = h("div", { class: "bar", hidden: true });
  const shown = table({ caption: "Streams", key: row => `${row.id} ${row.director.name}`, columns: columnsOf(context, () => refresh()).filter(({ id }) => !only || id !== "director"),
    sort: { id: only ? "since" : "director" }, empty: only ? "Nobody follows this list at this moment." : "Nobody follows a list at this moment." });
  fill(main, h("div", { class: "bar" }, !only && chooser, says), shown.node, pager);
  const refresh = context.live(async () => {
    if (!isTold) return;
    try {
      const { body } = await api.get("/v1/streams", { query: { director, offset, limit }, signal });
      const rows = body.streams.flatMap(stream => stream.directors
        .filter(({ name }) => !director || name === director).map(each => ({ ...stream, director: each, others: stream.directors.length - 1 })));
      shown.update(rows);
      text(says, `${number(body.total)} open`);
      const more = (label, by, isPossible) => h("button", { type: "button", disabled: !isPossible, onclick: () => {
        offset += by;
        refresh();
      } }, label);
      pager.hidden = body.total <= limit;
      if (!isShown(pager, [offset, body.total])) fill(pager, more("Earlier", -limit, offset > 0), more("Later", limit, offset + limit < body.total));
    } catch (error) {
      if (error.status !== 404) throw error;
      isTold = false;
      fill(main, h("p", null, "This server does not tell who follows its lists."));
    }
  }, 2000);
  chooser.addEventListener("change", () => {
    director = chooser.value.trim();
    offset = 0;
    context.replace(director ? `/streams?${new URLSearchParams({ director })}` : "/streams");
    refresh();
  });
}

const columnsOf = (context, refresh) => [
  { id: "director", title: "List", header: true, value: row => row.director.name,
    node: ({ director: { name } }, cell, isNew) => isNew && fill(cell, link(address`/lists/${name}`, name)) },
  { id: "since", title: "Since", value: row => row.since, node: ({ since }, cell, isNew) =>
    void (isNew ? fill(cell, when(since)) : when(since, cell.firstChild)) },
  { id: "address", title: "From", value: row => row.address },
  { id: "who", title: "Who", value: who },
  { id: "version", title: "Version", numeric: true, value: row => row.director.version, text: row => number(row.director.version) },
  { id: "lag", title: "Behind by", numeric: true, value: row => row.director.lag, node: ({ director: { lag } }, cell, isNew) =>
    state(lag > 0 ? "bad" : "good", lag > 0 ? count(lag, "version") : "nothing", isNew ? cell.appendChild(h("span")) : cell.firstChild) },
  { id: "protocol", title: "Protocol", value: row => row.protocol, optional: true },
  { id: "node", title: "Node", value: row => row.node ?? "", text: row => row.node ?? "–", optional: true },
  { id: "end", title: "Action", node: (row, cell, isNew) => isNew && fill(cell, ending(context, row, refresh)) },
];

function who({ principal }) {
  return principal ? principal.name ?? principal.kind : "nobody in particular";
}

function ending(context, row, done) {
  const also = row.others ? ` It carries ${count(row.others, "other list")} as well.` : "";
  return action(context, {
    label: "End", name: `End the stream of ${row.director.name} from ${row.address}`,
    request: () => ({ method: "DELETE", path: address`/v1/streams/${row.id}` }),
    danger: `The stream of ${who(row)} from ${row.address} ends.${also} Most clients come back by themselves.`, done,
  });
}
