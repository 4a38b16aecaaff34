/** Puts a list back to what it was at a retained version: a dry run first, which is shown, then all of it at once. */
import { busy, problemLine, show } from "./action.js";
import { curl, tagOf } from "./api.js";
import { changeLines, sizeOf, summaryOf } from "./changes.js";
import { copyButton, fill, h, number, unique } from "./dom.js";
import { directorPath } from "./places.js";
import { toast } from "./toasts.js";
import { note } from "./undo.js";

/** A list of more elements is restored with the command that the dialog shows. */
const most = 5000;

/** Shows what putting the list back to `version` would change, and does it. `done()` is called after that. */
export function restoreDialog(context, { list, past, version, done }) {
  const outcome = problemLine(), heading = h("h2", { id: unique("dialog") }, `Restore version ${number(version)}`);
  const content = h("div", null, h("p", { class: "note", role: "status" }, "Comparing…"));
  const go = h("button", { type: "button", class: "primary", disabled: true, onclick: () => busy(go, outcome, send) }, "Restore and reload");
  const cancel = h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), code = commands(context, list, version);
  const dialog = h("dialog", { "aria-labelledby": heading.id }, heading, content, outcome.node, h("div", { class: "actions" }, go, cancel),
    h("details", { class: "curl-line" }, h("summary", null, "curl"), h("div", null, h("pre", { tabindex: "0" }, h("code", null, code)), copyButton(() => code))));
  let plan;

  async function compare() {
    plan = await planFor(context, list, past, version);
    const { changeset, sections, before, isPending } = plan, size = sizeOf(changeset);
    fill(content, h("p", { class: "note", role: "status" }, size
      ? `It would send: ${summaryOf(changeset)}. The versions since then stay in the history.`
      : "The list is as it was at that version."),
    isPending && h("p", { class: "note warn" }, "Changes that are not reloaded yet are given up."),
    size > 0 && changeLines(changeset, { before, after: sections }));
    go.disabled = !size && !isPending;
  }

  async function send() {
    try {
      const answer = await context.api.send({ ...operations(list, plan.sections), headers: { "If-Match": plan.etag } });
      dialog.close();
      toast(restored(context, { list, version, answer, before: plan.isPending ? undefined : plan.working }));
      done();
    } catch (error) {
      if (error.status !== 412) throw error;
      await compare();
      throw new Error("The list has changed since. What is shown is compared with it as it is now.");
    }
  }

  show(dialog);
  compare().catch(error => {
    fill(content);
    outcome.show(error);
  });
}

const operations = ({ name }, sections, more) => ({ method: "POST", path: `${directorPath(name)}/operations`,
  body: { ...more, reload: true, operations: sections ? [{ op: "setSections", sections }] : [] } });

/** What the list was, what it is, and the changeset from this to that. */
async function planFor({ api, signal }, list, past, version) {
  const path = directorPath(list.name), dry = async sections => (await api.send({ ...operations(list, sections, { dryRun: true }), signal })).body;
  // The tag first: what is changed after it was read is not overwritten.
  const { body: { counts }, headers } = await api.get(path, { signal }), { total } = await past.outline(version);
  if (Math.max(total, counts.elements) > most) throw new Error(`The list has more than ${number(most)} elements. The command below restores it.`);
  const sections = await past.whole(version), { sections: working } = (await api.get(`${path}/sections`, { query: { limit: 10000 }, signal })).body;
  const made = [...sections, ...working].find(({ rows, elements }) => rows || elements?.some(({ row }) => row !== undefined));
  if (made) throw new Error(`The section "${made.id}" has rows, of which a version tells only what they have shown.`);
  const pending = await dry(), changeset = await dry(sections), before = await past.whole(changeset.from);
  return { sections, working, changeset, before, etag: tagOf(headers), isPending: sizeOf(pending) > 0 };
}

/** The note of a list that was put back. Its button sends what was before, while the list is as it was left. */
function restored({ api }, { list, version, answer: { body, headers }, before }) {
  const says = [`Version ${number(version)} was restored, as version ${number(body.version)}.`], left = tagOf(headers);
  return before ? note({ api }, { says, changed() {}, since: "The list was changed since", isAsLeft: ({ etag }) => etag === left,
    // A read's tag has the version besides, which a reload of somebody else may have raised.
    read: async () => ({ etag: tagOf((await api.get(directorPath(list.name))).headers).replace(/-v\d+(?="$)/, "") }),
    request: () => operations(list, before) }) : { says };
}

/** The same with curl and jq. */
function commands(context, { name }, version) {
  const { asksForTokens } = context.session, path = directorPath(name);
  const read = curl({ method: "GET", path: `${path}/sections`, query: { state: "published", version, limit: 10000 } }, asksForTokens);
  return `${read} | jq '{reload: true, operations: [{op: "setSections", sections}]}' | ${curl({ method: "POST", path: `${path}/operations` }, asksForTokens)} --json @-`;
}
