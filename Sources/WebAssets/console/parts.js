/** Small parts that several pages have. */
import { write, parse } from "./json.js";
import { busy, command, confirm, problemLine } from "./action.js";
import { announce, copyButton, count, fill, h, text, when } from "./dom.js";

/** A state in a word, with a mark before it that does not depend on colour alone: `good`, `bad` or `idle`. */
export function state(mood, says, node = h("span")) {
  node.className = `state ${mood}`;
  return text(node, says);
}

/** A list of terms with what they are: `facts([["Since", node], …])`; entries that are null are left out. */
export function facts(entries, node = h("dl", { class: "facts" })) {
  return fill(node, entries.filter(entry => entry && entry[1] !== null && entry[1] !== undefined).map(([term, ...content]) =>
    h("div", null, h("dt", null, term), h("dd", null, content))));
}

/** What shows a column of times in a table: `of` is the moment of a row, `otherwise` what stands where there is none. */
export function timeCell(of, otherwise = "–") {
  return (row, cell, isNew) => {
    const date = of(row);
    if (!date) return void text(cell, otherwise);
    if (isNew || !cell.firstElementChild) fill(cell, when(date));
    else when(date, cell.firstElementChild);
  };
}

/** Whether a node shows this state already, so that focus and selections in it stay; else it is noted that it will. */
export function isShown(node, value) {
  const key = JSON.stringify(value);
  if (node.dataset.shown === key) return true;
  node.dataset.shown = key;
  return false;
}

/** A line that tells of a right that is missing, where it is. */
export function missing(session, right, what, director) {
  return session.may(right, director) ? null
    : h("p", { class: "note" }, `You may not ${what}: the right `, h("code", null, right), " is missing.");
}

/** As `missing`, but only where the right was taken away while the console was open: what needed it stood here. */
export function taken(session, right, what, director) {
  return session.hasLost(right, director) ? missing(session, right, what, director) : null;
}

/** Says which rights are missing that the session before had, as far as the page is about them. */
export function changedRights(before, session, director) {
  const had = [...new Set(before.grants.flatMap(({ actions }) => actions))].filter(right => !director || right !== "operate");
  const lost = had.filter(right => before.may(right, director) && !session.may(right, director));
  return lost.length > 0 && h("p", { class: "changed-rights", role: "alert" }, h("strong", null, "Your rights have changed."), " ",
    lost.length > 1 ? "These are missing now: " : "This one is missing now: ",
    lost.flatMap((right, n) => [n > 0 && ", ", h("code", null, right)]), director && [" on ", h("code", null, director)], ".");
}

/** Grants in words: `read, report on menu-*`. */
export function grantsOf(grants) {
  if (!grants.length) return "nothing";
  return h("ul", { class: "grants" }, grants.map(({ actions, directors }) =>
    h("li", null, actions.join(", "), directors?.length ? [" on ", h("code", null, directors.join(", "))] : null)));
}

/** JSON as it is written, in lines. */
export function json(value) {
  return h("pre", { class: "json", tabindex: "0" }, h("code", null, write(value, 2)));
}

/** What a text field says in JSON; an error that names the field where it is none. Undefined where it is empty. */
export function readJSON(field, name) {
  const written = field.value.trim();
  if (!written) return undefined;
  try {
    return parse(written);
  } catch (error) {
    throw new Error(`${name} is not JSON: ${error.message}`);
  }
}

/** A secret that is shown this once, with a button that copies it. */
export function shownOnce(says, secret) {
  return h("div", { class: "once", role: "group", "aria-label": says }, h("p", null, says),
    h("p", null, h("code", { class: "secret" }, secret), " ", copyButton(secret)));
}

/**
 * A button that sends several requests, one after the other, and the `curl` of each below. What fails is said; the rest is
 * done all the same.
 */
export function batch(context, { label, requests, danger, done }) {
  const outcome = problemLine();
  const button = h("button", { type: "button", class: danger && "danger", onclick: run }, label);
  const commands = () => requests().map(request => command(context, request)).join("\n");
  async function run() {
    outcome.clear();
    const wanted = requests();
    if (danger && !await confirm({ title: label, says: danger(), label, command: commands() })) return;
    await busy(button, outcome, async () => {
      const errors = [];
      for (const request of wanted) await context.api.send(request).catch(error => errors.push(error));
      announce(`${label}: ${count(wanted.length - errors.length, "request")} done, ${errors.length} failed`);
      await done?.();
      if (errors.length) outcome.show(errors[0], errors.length > 1 && ` (${errors.length - 1} more failed)`);
    });
  }
  return { button, commands, problem: outcome.node };
}
