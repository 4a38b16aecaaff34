import { address, fill, h, number, text, when } from "./dom.js";
import { action, field, form } from "./action.js";
import { facts, grantsOf, isShown, missing, shownOnce, state, timeCell } from "./parts.js";
import { trial } from "./try-token.js";
import { table } from "./table.js";

/** The rights, and what each allows. */
export const rights = {
  read: "every GET below a list, and its stream", report: "events: what a UI reports and asks",
  mutate: "sections, rows, elements, variables, reload, refresh", define: "making and deleting lists; adapters and properties",
  hooks: "event hooks, and what was delivered to them", operate: "tokens, metrics, streams; no list by itself",
};

/** Who asks, the server's tokens, and what a token may do. */
export function showAccess(context) {
  const { main, session } = context;
  const { tokens, create } = session.may("operate") ? tokenParts(context) : {}, about = h("div", { class: "about" });
  // A token that is renewed has another end.
  context.live(async () => isShown(about, session) || fill(about, who(session)), 2000);
  fill(main, section("Who you are", about),
    section("Tokens", missing(session, "operate", "see or make tokens"), tokens, create),
    session.may("operate") && section("Issuers", issuers(context)),
    section("Try a token", trial(context)));
}

function section(title, ...content) {
  return h("section", null, h("h2", null, title), content);
}

function who(session) {
  const note = {
    everybody: "This server asks nobody for a token (auth.mode is none): everybody who reaches it may do everything. Tokens can be "
      + "made, and count once it asks for them.",
    anonymous: "You have shown no token. This is what everybody may do (auth.anonymous).",
  }[session.principal];
  return [note && h("p", { class: "note" }, note), facts([
    ["Name", session.principal], ["May", grantsOf(session.grants)],
    ["Until", session.expiresAt ? when(session.expiresAt) : "no end"],
  ])];
}

function tokenParts(context) {
  const { api, signal } = context;
  const shown = table({ caption: "Tokens", key: row => row.id, columns: columnsOf(context, () => refresh()), sort: { id: "name" },
    empty: "There is no token." });
  const note = h("p", { class: "note", hidden: true });
  const refresh = context.live(async () => {
    const { tokens, total } = (await api.get("/v1/tokens", { query: { limit: 1000 }, signal })).body;
    shown.update(tokens);
    note.hidden = total <= tokens.length;
    text(note, `The first ${tokens.length} of ${total} tokens.`);
  }, 2000);
  return { tokens: [shown.node, note], create: creation(context, () => refresh()) };
}

/** Whose JSON Web Tokens are accepted besides. */
function issuers({ live, api, signal }) {
  const shown = table({ caption: "Issuers", key: row => row.issuer, columns: issuerColumns, sort: { id: "issuer" },
    empty: "Tokens of no other issuer are accepted (auth.issuers)." });
  live(async () => shown.update((await api.get("/v1/issuers", { signal })).body.issuers), 5000);
  return shown.node;
}

const issuerColumns = [
  { id: "issuer", title: "Issuer", header: true, value: row => row.issuer },
  { id: "audience", title: "Audience", value: row => row.audience.join(", "), optional: true },
  { id: "algorithms", title: "Algorithms", value: row => row.algorithms.join(", "), optional: true },
  { id: "keys", title: "Keys", value: row => row.keys ?? -1, numeric: true, text: row => row.keys === null ? "none yet" : number(row.keys) },
  { id: "fetched", title: "Fetched", value: row => row.fetchedAt ?? "", node: timeCell(row => row.fetchedAt, "never") },
  { id: "state", title: "State", value: row => row.lastError ?? "", node: (row, cell, isNew) => {
    const node = isNew ? cell.appendChild(h("span")) : cell.firstChild;
    state(row.lastError ? "bad" : row.keys === null ? "idle" : "good", row.lastError ?? (row.keys === null ? "no keys yet" : "works"), node);
  } },
];

const columnsOf = (context, refresh) => [
  { id: "name", title: "Name", header: true, value: row => row.name },
  { id: "grants", title: "May", node: (row, cell, isNew) => isNew && fill(cell, grantsOf(row.grants)) },
  { id: "created", title: "Made", value: row => row.createdAt, node: timeCell(row => row.createdAt), optional: true },
  { id: "used", title: "Last used", value: row => row.lastUsedAt ?? "", node: timeCell(row => row.lastUsedAt) },
  { id: "ends", title: "Ends", value: row => row.expiresAt ?? "", node: timeCell(row => row.expiresAt, "never") },
  { id: "revoke", title: "Action", node: (row, cell, isNew) => isNew && fill(cell, action(context, {
    label: "Revoke", name: `Revoke ${row.name}`, request: () => ({ method: "DELETE", path: address`/v1/tokens/${row.id}` }),
    danger: `The token “${row.name}” is refused from now on, and its streams end within two seconds. It cannot be given back.`,
    done: refresh,
  })) },
];

function creation(context, refresh) {
  const name = h("input", { required: true, maxlength: 200, spellcheck: "false" });
  const directors = h("input", { value: "*", spellcheck: "false" });
  const end = h("input", { type: "datetime-local" });
  const boxes = Object.entries(rights).map(([right, says]) => ({ right, says, box: h("input", { type: "checkbox", value: right }) }));
  boxes[0].box.checked = true;
  const outcome = h("div", { role: "status" });
  const made = form(context, {
    title: "Make a token", submit: "Make",
    fields: [
      field("Name", name), field("Lists", directors, "Names, or prefixes with *, with commas between."), field("Ends", end, "Left empty, never."),
      h("fieldset", { class: "rights" }, h("legend", null, "Rights"), boxes.map(({ right, says, box }) => field(right, box, says))),
    ],
    request: () => ({ method: "POST", path: "/v1/tokens", body: {
      name: name.value.trim(),
      grants: [{
        actions: boxes.filter(({ box }) => box.checked).map(({ right }) => right),
        directors: directors.value.split(",").map(each => each.trim()).filter(Boolean),
      }],
      ...end.value && { expiresAt: new Date(end.value).toISOString() },
    } }),
    done: ({ body }) => {
      fill(outcome, shownOnce(`The token “${body.name}”. It is shown only now; the server keeps a digest of it.`, body.token));
      name.value = "";
      return refresh();
    },
  });
  return h("details", { class: "more", open: made.isPutBack }, h("summary", null, "Make a token"), made, outcome);
}
