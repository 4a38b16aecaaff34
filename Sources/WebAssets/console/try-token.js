/** Trying what a token may do: its rights are asked for, and each kind of request is said to be allowed or refused. */
import { CallboardError } from "/client.js";
import { busy, field, problemLine } from "./action.js";
import { fill, h, when } from "./dom.js";
import { facts, grantsOf, state } from "./parts.js";
import { Session } from "./session.js";
import { table } from "./table.js";

/** Requests by the right that they need; those of the server need no list. */
const requests = [
  ["read", "GET …/sections, …/elements, …/adapters", "read the list"],
  ["read", "GET …/changesets", "follow it"],
  ["report", "POST …/events", "report taps and ask for heights"],
  ["mutate", "POST …/operations, …/reload, …/refresh", "change and publish it"],
  ["mutate", "PUT …/variables/{name}", "set a variable"],
  ["define", "PUT, PATCH, DELETE /v1/directors/{name}", "make, redefine, delete it"],
  ["define", "PUT …/adapters/{model}", "register an adapter"],
  ["hooks", "PUT …/adapters/{model}/events/{event}", "register a hook"],
  ["hooks", "GET /v1/deliveries", "see what was delivered"],
  ["operate", "GET /metrics, /v1/tokens, /v1/issuers, /v1/streams", "look after the server"],
  ["operate", "POST /v1/tokens", "make tokens, and so everything"],
];

/** The form, with the list that it is asked about. */
export function trial(context) {
  const token = h("input", { type: "password", autocomplete: "off", spellcheck: "false", required: true });
  const list = h("input", { spellcheck: "false", placeholder: "menu-lunch" });
  const outcome = problemLine(), about = h("dl", { class: "facts" }), button = h("button", { type: "submit" }, "Try");
  const shown = table({ caption: "What the token may do", key: row => row.request, columns, empty: "" });
  const result = h("div", { role: "status", hidden: true }, about, shown.node);
  let session;
  const draw = () => {
    const name = list.value.trim();
    if (session) shown.update(requests.map(([right, request, does]) =>
      ({ right, request, does, isAllowed: session.may(right, right === "operate" ? undefined : name || undefined), isAny: !name })));
  };
  list.addEventListener("input", draw);
  const form = h("form", { "aria-label": "Try a token", onsubmit: event => {
    event.preventDefault();
    outcome.clear();
    result.hidden = true;
    busy(button, outcome, async () => {
      session = await asked(token.value.trim(), context.signal);
      facts([["Name", session.principal], ["May", grantsOf(session.grants)], ["Until", session.expiresAt ? when(session.expiresAt) : "no end"]], about);
      draw();
      result.hidden = false;
    });
  } }, h("div", { class: "fields" },
    field("Token", token, "It is sent to the server once, and kept nowhere."),
    field("List", list, "Left empty: any list.")), h("div", { class: "actions" }, button), outcome.node,
  h("pre", { class: "note try-curl" }, h("code", null, `curl -H "Authorization: Bearer $CALLBOARD_TOKEN" '${location.origin}/v1/session'`)));
  return [form, result];
}

/** Whose token that is, as the server says; the session of the page has no part in it. */
async function asked(token, signal) {
  if (/[^\x21-\x7e]/.test(token)) throw new Error("A token has letters, digits and signs only.");
  const answer = await fetch("/v1/session", {
    headers: { Authorization: `Bearer ${token}` }, credentials: "omit", cache: "no-store", signal,
  }).catch(error => {
    throw signal.aborted ? error : CallboardError.unreachable(error);
  });
  if (!answer.ok) throw await CallboardError.of(answer);
  return new Session(await answer.json());
}

const columns = [
  { id: "does", title: "To", header: true, value: row => row.does },
  { id: "request", title: "Request", node: (row, cell, isNew) => isNew && fill(cell, h("code", null, row.request)), optional: true },
  { id: "right", title: "Right", value: row => row.right },
  { id: "allowed", title: "Outcome", value: row => Number(row.isAllowed), node: ({ isAllowed, isAny, right }, cell, isNew) => {
    const says = isAllowed ? isAny && right !== "operate" ? "allowed on some list" : "allowed" : "refused";
    state(isAllowed ? "good" : "bad", says, isNew ? cell.appendChild(h("span")) : cell.firstChild);
  } },
];
