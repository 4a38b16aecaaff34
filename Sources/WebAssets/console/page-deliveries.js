import { address, announce, count, fill, h, link, measured, number, text, when } from "./dom.js";
import { action, select } from "./action.js";
import { batch, facts, isShown, json, missing, state, timeCell } from "./parts.js";
import { Selection } from "./selection.js";
import { table } from "./table.js";

const limit = 100;
const path = id => address`/v1/deliveries/${id}`;
export const retrying = id => ({ method: "POST", path: `${path(id)}:retry` });
const discarding = id => ({ method: "DELETE", path: path(id) });

/** Notifications that wait or were given up; on a tab of a list, those of that list. */
export function showDeliveries(context) {
  const { main, api, session, signal, address: { params: { name: only }, path: base, query } } = context;
  if (!session.may("hooks", only)) return void fill(main, missing(session, "hooks", "see deliveries", only));
  const filters = { status: query.get("status") ?? "", director: only ?? query.get("director") ?? "", event: query.get("event") ?? "" };
  let offset = Number(query.get("offset")) || 0;
  const selection = new Selection(row => `Select ${row.event} of ${row.director}, ${row.id}`), pager = h("p", { class: "bar" });
  const shown = table({ caption: "Deliveries", key: row => row.id, columns: columnsWith(selection).filter(({ id }) => !only || id !== "director"),
    empty: "Nothing waits, and nothing was given up. What is delivered is not kept." });
  const refresh = context.live(async () => {
    const { body } = await api.get("/v1/deliveries", { query: { ...filters, offset, limit }, signal });
    shown.update(body.deliveries);
    selection.update(body.deliveries, shown);
    drawPager(pager, body, step => {
      offset = Math.max(0, offset + step);
      keep();
    });
  }, 2000);
  const keep = () => {
    const wanted = Object.entries({ ...filters, director: only ? "" : filters.director, offset: offset || "" }).filter(([, value]) => value);
    context.replace(`${base}${wanted.length ? `?${new URLSearchParams(wanted)}` : ""}`);
    refresh();
  };
  const change = (name, value) => {
    filters[name] = value;
    offset = 0;
    keep();
  };
  fill(main, bar(filters, change, only), selectionBar(context, selection, refresh), shown.node, pager);
}

function bar(filters, change, only) {
  const status = select([["", "Waiting and given up"], ["pending", "Waiting"], ["dead", "Given up"]], filters.status);
  status.setAttribute("aria-label", "Status");
  status.addEventListener("change", () => change("status", status.value));
  const text = (name, label) => {
    const input = h("input", { type: "search", "aria-label": label, placeholder: label, spellcheck: "false", value: filters[name],
      "data-search": name === (only ? "event" : "director"), onchange: () => change(name, input.value.trim()) });
    return input;
  };
  return h("div", { class: "bar" }, status, !only && text("director", "List"), text("event", "Event"));
}

function drawPager(node, { offset, total, deliveries }, move) {
  const step = (label, by, isPossible) => h("button", { type: "button", disabled: !isPossible, onclick: () => move(by) }, label);
  node.hidden = total === 0;
  if (node.contains(document.activeElement) && node.dataset.total === `${offset} ${total}`) return;
  node.dataset.total = `${offset} ${total}`;
  const last = offset + deliveries.length;
  fill(node, h("span", null, deliveries.length ? `${number(offset + 1)} to ${number(last)} of ${number(total)}` : `none of ${number(total)} here`),
    (offset > 0 || total > last) && [step("Earlier", -limit, offset > 0), step("Later", limit, total > last)]);
}

function selectionBar(context, selection, refresh) {
  const says = h("span", { role: "status" });
  const all = h("input", { type: "checkbox", "aria-label": "Select all that are shown", onchange: () => selection.toggleAll(all.checked) });
  const done = () => refresh();
  const retry = batch(context, { label: "Retry", requests: () => selection.rows.map(({ id }) => retrying(id)), done });
  const dead = () => selection.rows.filter(({ status }) => status === "dead");
  const discard = batch(context, {
    label: "Discard", requests: () => dead().map(({ id }) => discarding(id)), done,
    danger: () => `${count(dead().length, "notification")} that ${dead().length === 1 ? "was" : "were"} given up `
      + `${dead().length === 1 ? "is" : "are"} thrown away, for good.`,
  });
  const code = h("code"), lines = h("details", { class: "curl-line" }, h("summary", null, "curl"), h("pre", { tabindex: "0" }, code));
  const node = h("div", null, h("div", { class: "bar" }, h("label", { class: "bar" }, all, says), retry.button, discard.button),
    retry.problem, discard.problem, lines);
  selection.changed = () => {
    const { size } = selection.chosen, { length } = selection.all;
    all.checked = size > 0 && size === length;
    all.indeterminate = size > 0 && size < length;
    text(says, size ? `${number(size)} selected` : "Select all");
    retry.button.disabled = size === 0;
    discard.button.disabled = dead().length === 0;
    discard.button.title = size && !dead().length ? "What still waits cannot be discarded" : "";
    lines.hidden = size === 0;
    text(code, [retry.commands(), dead().length && discard.commands()].filter(Boolean).join("\n"));
    node.hidden = length === 0;
  };
  selection.changed();
  context.shortcut("a", "Select all deliveries, or none", () => {
    selection.toggleAll(selection.chosen.size < selection.all.length);
    announce(says.textContent);
  });
  return node;
}

const columnsWith = selection => [
  { id: "box", title: "Select", node: (row, cell, isNew) => isNew && fill(cell, selection.box(row)) },
  { id: "event", title: "Event", header: true, value: row => row.event,
    node: (row, cell, isNew) => isNew && fill(cell, link(address`/deliveries/${row.id}`, row.event)) },
  { id: "director", title: "List", value: row => row.director },
  { id: "status", title: "Status", value: row => row.status, node: showStatus },
  { id: "attempts", title: "Attempts", numeric: true, value: row => row.attempts, text: row => number(row.attempts) },
  { id: "created", title: "Since", value: row => row.created, node: timeCell(row => row.created) },
  { id: "next", title: "Next attempt", value: row => row.nextAttempt ?? "", node: timeCell(row => row.nextAttempt), optional: true },
  { id: "error", title: "Last error", value: row => row.lastError ?? "", node: (row, cell) => text(cell, row.lastError ?? "–").classList.add("free"), optional: true },
];

function showStatus({ status }, cell, isNew) {
  const says = status === "dead" ? "given up" : "waits";
  state(status === "dead" ? "bad" : "idle", says, isNew ? cell.appendChild(h("span")) : cell.firstChild);
}

/** One delivery, with what is sent. */
export function showDelivery(context) {
  const { main, api, session, signal, address: { params: { id } } } = context;
  if (!session.may("hooks")) return void fill(main, missing(session, "hooks", "see deliveries"));
  const about = h("dl", { class: "facts" }), history = h("div"), payload = h("div"), actions = h("div", { class: "actions" });
  let isGone = false, delivery;
  fill(main, h("p", { class: "note" }, link("/deliveries", "Deliveries"), " › ", h("code", null, id)), about, actions, history, payload);
  const refresh = context.live(async () => {
    if (isGone) return;
    try {
      const { body } = await api.get(path(id), { signal });
      describe(about, body);
      attempts(history, body.history ?? []);
      if (!delivery) fill(payload, h("h2", null, "What is sent"), json(body.message));
      if (delivery?.status !== body.status) fill(actions, offered(context, body, () => refresh(), () => isGone = true));
      delivery = body;
    } catch (error) {
      if (error.status !== 404) throw error;
      isGone = true;
      fill(actions);
      fill(about, h("p", null, delivery ? "It has been delivered, or thrown away." : "There is no such delivery: it has been delivered, or thrown away."));
    }
  }, 2000);
}

function offered(context, { id, status }, refresh, leave) {
  return [
    action(context, { label: "Retry", request: () => retrying(id), done: refresh }),
    status === "dead" && action(context, {
      label: "Discard", name: "Discard this delivery", request: () => discarding(id), danger: "The notification is thrown away, for good.",
      done: () => {
        leave();
        context.go("/deliveries");
      },
    }),
  ];
}

/** The attempts one by one, the latest first. */
function attempts(node, history) {
  if (isShown(node, history) || !history.length) return;
  fill(node, h("h2", null, "Attempts that failed"), h("ol", { class: "attempts" },
    history.toReversed().map(({ at, took, error }) => h("li", null, when(at), h("span", { class: "took" }, measured(took)), h("span", null, error)))));
}

function describe(node, delivery) {
  const { status, attempts, created, lastAttempt, nextAttempt, lastError, hook, director, event } = delivery;
  if (isShown(node, delivery)) return;
  facts([
    ["Status", state(status === "dead" ? "bad" : "idle", status === "dead" ? "given up" : "waits")],
    ["Event", event], ["List", link(address`/lists/${director}`, director)],
    ["Hook", link(`/hook?${new URLSearchParams({ path: hook })}`, hook)],
    ["Since", when(created)], ["Attempts", number(attempts)],
    ["Last attempt", lastAttempt ? when(lastAttempt) : "none yet"],
    nextAttempt && ["Next attempt", when(nextAttempt)],
    ["Last error", lastError ?? "none"],
  ], node);
}
