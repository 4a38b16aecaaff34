/** What the working state has that is not yet reloaded: the changeset that a reload would send. */
import { apply } from "/client.js";
import { action } from "./action.js";
import { changeLines, sizeOf, summaryOf } from "./changes.js";
import { fill, h, text, unique } from "./dom.js";
import { directorPath } from "./places.js";

/** Lists of more elements are compared only when that is asked for. */
const most = 50000;

export class Pending {
  #seen = "";
  /** What a reload would send, as far as is known. */
  #changeset;
  /** What was published from here, in words. */
  #done = "";

  /** `found(changeset)` is called with each changeset that a reload would send. */
  constructor(context, { list, view, changed }) {
    Object.assign(this, { context, list, view, changed });
    const path = directorPath(list.name);
    this.heading = h("h2", { id: unique("pending") }, "Working state");
    this.says = h("p", { class: "note" });
    this.lines = h("div");
    this.reload = action(context, { label: "Reload", isPrimary: true, request: () => ({ method: "POST", path: `${path}/reload` }),
      done: ({ body }) => {
        this.#done = ` Version ${body.version} was published from here: ${summaryOf(body)}.`;
        changed();
      } });
    this.dryRun = action(context, { label: "Dry run", said: "Dry run: done", request: () => this.#request(), done: ({ body }) => this.#show(body) });
    this.node = h("section", { "aria-labelledby": this.heading.id, class: "pending" }, this.heading, this.says,
      h("div", { class: "actions" }, this.reload, this.dryRun), this.lines);
  }

  #request() {
    return { method: "POST", path: `${directorPath(this.list.name)}/operations`, body: { operations: [], reload: true, dryRun: true } };
  }

  /** Compares, where the director has changed since the last time. */
  async update(director) {
    const state = JSON.stringify([director.epoch, director.revision, director.version]);
    if (state === this.#seen) return;
    if (director.counts.elements > most) {
      this.#seen = state;
      this.#changeset = undefined;
      fill(this.lines);
      this.view.mark([]);
      return void text(this.says, "The list is long; a dry run shows what is not yet reloaded.");
    }
    const { body } = await this.context.api.send({ ...this.#request(), signal: this.context.signal });
    this.#seen = state;
    this.#show(body);
  }

  /** Shows again what is known, since the list has changed. */
  redraw() {
    if (this.#changeset) this.#show(this.#changeset);
  }

  #show(changeset) {
    this.#changeset = changeset;
    const size = sizeOf(changeset), isSame = this.list.version === changeset.version || this.list.version === changeset.from;
    text(this.heading, size ? "Not yet reloaded" : "Working state");
    text(this.says, size ? `A reload would send: ${summaryOf(changeset)}.` : `It is what is published; a reload would change nothing.${this.#done}`);
    this.reload.button.disabled = size === 0;
    this.node.classList.toggle("differs", size > 0);
    fill(this.lines, size ? changeLines(changeset, isSame ? { before: this.list.sections, after: after(this.list.sections, changeset) } : {}) : null);
    this.view.mark(isSame ? marksToCome(changeset) : []);
  }
}

/** The sections as a reload would leave them; none where what was compared is not what is shown. */
function after(sections, changeset) {
  try {
    return apply(sections, changeset);
  } catch {
    return [];
  }
}

/** Which places of the published list differ. Those of moves count after other changes, and are left out where there are any. */
function marksToCome({ stages = [] }) {
  const marks = [];
  let isShifted = false;
  for (const stage of stages) {
    for (const { at } of stage.elementUpdated ?? []) marks.push([at, "will-change"]);
    for (const at of stage.elementDeleted ?? []) marks.push([at, "will-leave"]);
    if (!isShifted) for (const { from } of stage.elementMoved ?? []) marks.push([from, "will-move"]);
    isShifted ||= !!(stage.sectionDeleted || stage.elementDeleted || stage.sectionInserted || stage.sectionMoved);
  }
  return marks;
}
