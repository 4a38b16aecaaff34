/** A changeset on its list: step by step, forwards and backwards. */
import { render } from "/client.js";
import { problem } from "./action.js";
import { placeText } from "./changes.js";
import { count, fill, h, number, text } from "./dom.js";
import { Past } from "./past.js";
import { partsOf } from "./previews.js";
import { faceOf, shown, steps } from "./steps.js";

/** Of a list with more elements, only those near what changes are loaded. */
const mostWhole = 5000;
/** So many operations of a step are listed in words. */
const mostListed = 100;

/** What the client's `render` draws: the sections of the step that is shown. */
class Stage extends EventTarget {
  sections = [];

  getSnapshot() {
    return { sections: this.sections };
  }

  show(sections) {
    this.sections = sections;
    this.dispatchEvent(new Event("shown"));
  }
}

export class ChangesetView {
  #context;
  #past;
  #steps = [];
  #stage = new Stage();
  #shown;
  #asked = 0;
  #moved = () => {};
  /** The step that is shown; 0 is the list before. */
  step = 0;

  constructor(context, base) {
    this.#context = context;
    this.#past = new Past(context, base);
    const button = (label, name, to) => h("button", { type: "button", "aria-label": name, title: name, onclick: () => this.#go(to()) }, label);
    this.buttons = [
      button("⇤", "The list before", () => 0), button("←", "Step back (left arrow)", () => this.step - 1),
      button("→", "Step forward (right arrow)", () => this.step + 1), button("⇥", "The list after", () => this.#steps.length - 1),
    ];
    this.stages = h("ol", { class: "stages", "aria-label": "Steps" });
    this.says = h("p", { role: "status" });
    this.causes = h("p", { class: "muted" });
    this.operations = h("ul", { class: "operations" });
    this.list = h("div", { class: "replay", role: "group", "aria-label": "The list at this step" });
    this.problem = h("div", { class: "problem", role: "alert", hidden: true });
    this.body = h("div", { class: "stepping", hidden: true }, h("div", { class: "bar steps", role: "group", "aria-label": "Step" }, this.buttons), this.stages,
      this.says, this.causes, h("div", { class: "side" }, this.list, this.operations));
    this.node = h("div", { onkeydown: event => this.#key(event) }, this.problem, this.body);
    this.drawn = render(this.#stage, this.list, { element: row, section });
    context.shortcut("ArrowRight", "Next step of the changeset", () => this.#go(this.step + 1));
    context.shortcut("ArrowLeft", "Step before", () => this.#go(this.step - 1));
  }

  stop() {
    this.drawn.stop();
  }

  /** Loads a changeset and the list before it, and shows them at a step. */
  async show({ from, to, stage, moved }) {
    const asked = ++this.#asked, { signal } = this.#context;
    this.#moved = moved;
    try {
      const changeset = await this.#past.changeset(from, to);
      const sections = await this.#before(changeset);
      if (asked !== this.#asked || signal.aborted) return;
      this.#steps = steps(sections, changeset);
      this.#shown = changeset;
      this.problem.hidden = true;
      this.body.hidden = false;
      fill(this.causes, changeset.causes?.length ? ["Caused by ", h("code", null, changeset.causes.join(", "))] : null);
      this.#drawSteps();
      this.#go(stage ?? this.#steps.length - 1, true);
    } catch (error) {
      if (asked !== this.#asked || signal.aborted) return;
      this.body.hidden = true;
      this.problem.hidden = false;
      fill(this.problem, problem(error));
    }
  }

  /** The sections before: whole, or of long ones what changes and its neighbours. */
  async #before({ from, stages, counts }) {
    const changed = stages.reduce((sum, stage) => sum + Object.values(stage).flat().length, 0);
    const { sections, total } = await this.#past.outline(from);
    if (Math.max(total, counts.elements) <= mostWhole || total <= changed * 4) return this.#past.whole(from);
    // Of each section the ends as well, which are shown at every step.
    const ends = sections.slice(0, 10).flatMap(({ elements: { length } }, at) => length ? [{ elementDeleted: [[at, 0], [at, length - 1]] }] : []);
    await this.#past.loadNear(sections, from, ends);
    await this.#past.loadNear(sections, from, stages);
    return sections;
  }

  #drawSteps() {
    fill(this.stages, this.#steps.map(({ title, operations }, n) => h("li", null, h("button", { type: "button", onclick: () => this.#go(n) },
      h("span", { class: "number" }, n || ""), title, operations.length > 0 && h("span", { class: "muted" }, number(operations.length))))));
  }

  #go(step, isFirst) {
    if (!this.#steps.length) return;
    this.step = Math.min(this.#steps.length - 1, Math.max(0, Number.isInteger(step) ? step : 0));
    const { title, sections, operations } = this.#steps[this.step], last = this.#steps.length - 1;
    this.#stage.show(shown(this.#steps[this.step]));
    this.buttons.forEach((button, n) => button.setAttribute("aria-disabled", n < 2 ? this.step === 0 : this.step === last));
    [...this.stages.querySelectorAll("button")].forEach((button, n) =>
      n === this.step ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current"));
    const { from, version } = this.#shown, elements = sections.reduce((sum, section) => sum + section.elements.length, 0);
    const place = this.step === 0 ? "before" : this.step === last ? `after, version ${version}` : `between ${from} and ${version}`;
    text(this.says, `Step ${this.step} of ${last}, ${title}: ${count(sections.length, "section")}, ${count(elements, "element")}, ${place}`);
    fill(this.operations, operations.slice(0, mostListed).map(said), operations.length > mostListed
      && h("li", { class: "muted" }, `${number(operations.length - mostListed)} more`),
    operations.length === 0 && h("li", { class: "muted" }, last ? "The list before. Step forward to see what happens to it." : "The changeset changes nothing."));
    if (!isFirst) this.#moved(this.step);
  }

  #key(event) {
    const step = { Home: 0, End: this.#steps.length - 1 }[event.key];
    if (step === undefined || event.target.matches("pre, input")) return;
    event.preventDefault();
    this.#go(step);
  }
}

const path = at => Array.isArray(at) ? placeText(at) : `section ${at}`;

function said({ kind, at, from, text: what }) {
  const where = kind === "moved" ? `${path(from)} to ${path(at)}` : path(at);
  return h("li", { class: kind }, h("span", { class: "kind" }, kind), " ", h("code", null, where), " ", what);
}

const signs = { inserted: "+", leaving: "−", moved: "↕", updated: "•" };

function row(element, _cell, node = h("div", { class: "entry" }, h("span", { class: "sign" }), h("span", { class: "line" }))) {
  const [sign, face] = node.children;
  if (element.model === "gap") {
    node.className = "entry gap";
    text(face, `${count(element.value, "row")} more`);
    text(sign, "");
    return node;
  }
  node.className = `entry ${element.mark ?? ""}`;
  text(sign, signs[element.mark] ?? "");
  sign.title = element.mark ?? "";
  const { title, subtitle, image, badge, trailing } = partsOf(element), rest = [badge, subtitle, trailing].filter(Boolean).join(" · ");
  fill(face, image && [image, " "], h("strong", { dir: "auto" }, element.isUnknown ? faceOf(element) : title),
    [" ", h("span", { class: "muted", dir: "auto" }, element.isUnknown ? "not loaded" : rest)]);
  return node;
}

function section(each, node = h("section", null, h("h2"), h("div"))) {
  const [title, rows] = node.children;
  node.className = each.mark ?? "";
  text(title, `${signs[each.mark] ?? ""} ${each.headerTitle || each.id}`);
  fill(title, signs[each.mark] && h("span", { class: "sign", title: each.mark }, signs[each.mark]), " ", each.headerTitle || each.id,
    " ", h("small", null, number(each.count)));
  return { node, rows };
}
