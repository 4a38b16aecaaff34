import { write } from "./json.js";
import { action, form } from "./action.js";
import { address, count, fill, h, link, measured, number, span, text, when } from "./dom.js";
import { hookFields, placeFields, suggestedPlace } from "./hook-form.js";
import { health, newSecret, readPath, siteName, writable } from "./hooks.js";
import { facts, isShown, missing, shownOnce, state } from "./parts.js";
import { listAddress } from "./places.js";
import { hookChanged } from "./undo-definitions.js";

/** One hook: how its target is doing, and everything that can be done with it. */
export async function showHook(context) {
  const { main, api, session, signal, address: { query } } = context;
  const path = query.get("path") ?? "", place = readPath(path);
  if (!place) return void fill(main, h("p", null, "This address names no hook. ", link("/hooks", "All hooks")));
  if (!session.may("hooks", place.director)) return void fill(main, missing(session, "hooks", "see this hook", place.director));
  const site = { ...place, path };
  context.title(`${site.event}: ${siteName(site)}`);
  const about = h("dl", { class: "facts" }), work = h("div", { class: "work" });
  fill(main, h("p", { class: "note" }, link("/hooks", "Hooks"), " › ", link(listAddress(site.director, "hooks"), site.director)), about, work);
  let hook, isThere = false, update = () => {};
  const refresh = context.live(async () => {
    try {
      hook = (await api.get(path, { signal })).body;
    } catch (error) {
      // What can be done with it is no more, once it is gone.
      if (error.status === 404) isThere = false, fill(work);
      throw error;
    }
    describe(about, hook, site);
    if (!isThere) isThere = true, update = await offer(context, work, site, () => hook, () => refresh());
    update();
  }, 2000);
}

function describe(node, hook, site) {
  if (isShown(node, hook)) return;
  const { lastSuccess, lastError, latency, pending, dead } = hook.health, { mood, says } = health(hook);
  const waiting = status => link(listAddress(site.director, "deliveries", { event: site.event, status }),
    number(hook.health[status]));
  facts([
    ["State", state(mood, says)], ["Target", h("span", { class: "url" }, hook.url ?? "none: the default is the answer")],
    ["Kind", hook.kind === "question" ? `question, answered with ${hook.answer}` : hook.kind === "source" ? "source, which the server asks" : hook.kind],
    ["Last success", lastSuccess ? when(lastSuccess) : "none since the server's start"],
    ["Last failure", lastError ? [when(lastError.at), ": ", lastError.detail] : "none since the server's start"],
    latency && ["Calls took", `half within ${measured(latency.median)}, 95 % within ${measured(latency.p95)} (the latest ${count(latency.calls, "call")})`],
    hook.kind === "notification" && ["Waiting", pending ? waiting("pending") : "0"],
    hook.kind === "notification" && ["Given up", dead ? waiting("dead") : "0"],
    hook.secret && ["Signed with", h("code", null, [hook.secret].flat().join(", "))],
    hook.default !== undefined && ["Default", h("code", null, write(hook.default))],
    hook.timeout && ["Time-out", hook.timeout], hook.coalesce && ["Coalesced within", hook.coalesce],
    hook.kind === "source" && ["Asked", hook.every === "read" ? "when somebody reads" : hook.every ? `every ${hook.every}` : "at each reload"],
    hook.headers && ["Headers", h("code", null, JSON.stringify(hook.headers))],
  ], node);
}

async function offer(context, node, site, hook, refresh) {
  const { session } = context, isSource = hook().kind === "source", mayReport = !isSource && session.may("report", site.director);
  const change = changes(context, site, hook, refresh);
  fill(node, !isSource && missing(session, "report", "try this hook", site.director), mayReport && await trial(context, site, hook), change.node);
  return change.update;
}

/** Fires the event, as a UI does. */
async function trial(context, site, hook) {
  const outcome = h("div", { role: "status" });
  const isQuestion = hook().kind === "question";
  const { fields, read } = placeFields(site, await suggestedPlace(context, site));
  let began = 0;
  const made = form(context, {
    title: "Try it", submit: isQuestion ? "Ask" : "Report", fields,
    request: () => {
      began = performance.now();
      return { method: "POST", path: address`/v1/directors/${site.director}/events`, body: { event: site.event, ...read() } };
    },
    done: ({ body }) => {
      if (isQuestion) answered(outcome, body, performance.now() - began);
      else return followed(context, site, outcome, body);
    },
  });
  const note = isQuestion ? "The target is asked, as a UI would ask it." : "The target hears of it as if a user had done it; its answer may change the list.";
  return h("section", null, h("h2", null, "Try it"), h("p", { class: "note" }, note), made, outcome);
}

function answered(node, body, milliseconds) {
  const isGood = body.source !== "default" || !body.reason;
  fill(node, h("p", null, state(isGood ? "good" : "bad", body.source === "default" ? "The default" : "The target's answer"), " ",
    h("code", null, write(body.value)), ` after ${span(milliseconds / 1000)}`, body.reason && `: ${body.reason}`));
}

/** Follows a delivery until it is made or given up. */
async function followed({ api, signal }, site, node, { delivery, reason }) {
  if (!delivery) return void fill(node, h("p", null, state("idle", "Nothing is sent"), reason && `: ${reason}`));
  const began = performance.now();
  for (;;) {
    const query = { director: site.director, event: site.event, limit: 1000 };
    const { deliveries, total } = (await api.get("/v1/deliveries", { query, signal })).body;
    const found = deliveries.find(({ id }) => id === delivery);
    const wait = deliveries.filter(({ status }) => status === "pending").findIndex(({ id }) => id === delivery);
    if (!found && total > deliveries.length) return void fill(node, h("p", null, "It waits behind many others: ", h("code", null, delivery)));
    if (!found) return void fill(node, h("p", null, state("good", "Delivered"), ` within ${span((performance.now() - began) / 1000)}`));
    const says = found.status === "dead" ? state("bad", "Given up") : state("idle", wait > 0 ? `Waits behind ${wait} others` : "Waits");
    fill(node, h("p", null, says, " ", link(address`/deliveries/${delivery}`, h("code", null, delivery)),
      found.lastError && `: ${found.lastError}`, found.nextAttempt && [", next attempt ", when(found.nextAttempt)]));
    if (found.status === "dead" || performance.now() - began > 60000 || signal.aborted) return;
    await new Promise(resolve => setTimeout(resolve, 500));
  }
}

/** Changing, disabling, secrets, deleting. */
function changes(context, site, hook, refresh) {
  const undo = ({ body }, before) => hookChanged(context, { site, before, after: body, changed: refresh });
  const put = body => ({ method: "PUT", path: site.path, body });
  const toggle = action(context, {
    label: hook().isDisabled ? "Enable" : "Disable",
    request: () => put({ ...writable(hook()), isDisabled: !hook().isDisabled }),
    before: hook, undo, done: refresh,
  });
  const remove = action(context, {
    label: "Delete", name: "Delete this hook", request: () => ({ method: "DELETE", path: site.path }),
    danger: () => `The hook for ${site.event} is removed; ${count(hook().health.pending, "notification")} that wait for it are given up.${
      hook().secret ? " This cannot be taken back: its secret is not told again." : ""}`,
    before: hook, undo: (_, before) => hookChanged(context, { site, before, changed: () => {} }),
    done: () => context.go("/hooks"),
  });
  const { fields, read } = hookFields(hook());
  const change = form(context, {
    title: "Change it", submit: "Save", fields,
    request: () => put({ ...read(), secret: hook().secret, isDisabled: hook().isDisabled || undefined }),
    before: hook, undo, done: refresh,
  });
  const secret = hook().secret && secrets(context, put, hook, refresh);
  return {
    node: h("section", null, h("h2", null, "Change it"), h("div", { class: "actions" }, toggle, remove), secret && secret.node,
      h("details", { class: "more", open: change.isPutBack }, h("summary", null, "Target, default and times"), change)),
    update() {
      text(toggle.button, hook().isDisabled ? "Enable" : "Disable");
      secret?.update();
    },
  };
}

/** A secret is changed in two steps, so that the receiver can follow: another one besides, then none but that. */
function secrets(context, put, hook, refresh) {
  const outcome = h("div");
  let made = newSecret();
  const listed = () => [hook().secret ?? []].flat();
  const add = action(context, {
    label: "Add a new secret", request: () => put({ ...writable(hook()), secret: [made, ...listed()].slice(0, 8) }),
    done: () => {
      fill(outcome, shownOnce("Calls are signed with this secret too. Give it to the receiver; it is shown only now:", made));
      made = newSecret();
      return refresh();
    },
  });
  const drop = action(context, {
    label: "Drop the older secrets", request: () => put({ ...writable(hook()), secret: listed().slice(0, 1) }),
    danger: () => `Calls are signed with ${listed()[0]} only. A receiver that knows only an older secret refuses them.`,
    done: refresh,
  });
  return {
    node: h("div", { role: "group", "aria-label": "Secrets" }, h("div", { class: "actions" }, add, drop), outcome),
    update: () => void (drop.hidden = listed().length < 2),
  };
}
