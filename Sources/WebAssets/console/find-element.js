/** Finding an element of a published list: by its identifier, or by a text that one of its members has. */
import { busy, problemLine } from "./action.js";
import { count, fill, h, number, text } from "./dom.js";
import { directorPath } from "./places.js";
import { lineOf } from "./previews.js";

/** How many elements are shown that have a text; of how many it is looked which members have texts, and how many those are. */
const most = 20, samples = 30, membersAtMost = 16;

/** The places of an identifier: `{id, section, indexPath, …}`; of the working state where that is asked for. */
export async function placesOf({ api, signal }, name, id, state = "published") {
  const { body } = await api.get(`${directorPath(name)}/elements`, { query: { id, state, limit: most }, signal });
  return body.elements;
}

/** A search field above a list. `goTo(indexPath)` leads to an element. */
export class Finder {
  #asked = 0;

  constructor(context, { name, goTo }) {
    Object.assign(this, { context, name, goTo });
    this.input = h("input", { type: "search", "aria-label": "Find an element", placeholder: "Find by identifier or text", "data-search": true, spellcheck: "false",
      autocomplete: "off", dir: "auto", oninput: () => this.input.value || this.#clear(), onkeydown: event => {
        if (event.key !== "ArrowDown" || !this.results.firstChild) return;
        event.preventDefault();
        this.#buttons[0].focus();
      } });
    this.button = h("button", { type: "submit" }, "Find");
    this.says = h("p", { class: "note", role: "status" });
    this.results = h("ul", { "aria-label": "Elements found", onkeydown: event => this.#step(event) });
    this.outcome = problemLine();
    this.node = h("form", { role: "search", class: "finder", onsubmit: event => {
      event.preventDefault();
      this.#find(this.input.value.trim());
    } }, h("div", { class: "bar" }, this.input, this.button), this.says, this.results, this.outcome.node);
  }

  get #buttons() {
    return [...this.results.querySelectorAll("button")];
  }

  #clear() {
    this.#asked++;
    this.outcome.clear();
    this.#show("");
  }

  #show(says, elements = []) {
    fill(this.says, says);
    fill(this.results, elements.map(element => h("li", null, h("button", { type: "button", class: "quiet", onclick: () => this.#goToFound(element) },
      h("span", { dir: "auto", class: "line" }, lineOf(element, 160)), h("small", { dir: "auto" }, element.id)))));
  }

  #step(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], buttons = this.#buttons;
    if (!step) return;
    event.preventDefault();
    (buttons[buttons.indexOf(document.activeElement) + step] ?? (step < 0 ? this.input : undefined))?.focus();
  }

  /** A newer question takes the place of one that is on its way. */
  async #find(wanted) {
    this.#clear();
    if (!wanted) return;
    const asked = this.#asked, isNewest = () => asked === this.#asked && !this.context.signal.aborted;
    text(this.says, "Looking…");
    try {
      const [place] = await placesOf(this.context, this.name, wanted);
      if (place) return isNewest() && this.#go(place);
      const [members, [kept]] = await Promise.all([this.#members(wanted), placesOf(this.context, this.name, wanted, "working")]);
      const found = isNewest() && await this.#having(wanted, members);
      if (isNewest()) this.#tell(wanted, members, kept, found);
    } catch (error) {
      if (!isNewest()) return;
      this.#show("");
      this.outcome.show(error);
    }
  }

  #tell(wanted, members, kept, { elements, total }) {
    const quoted = h("q", { dir: "auto" }, wanted), where = ["identifier", ...members.map(({ name }) => name)].join(", ");
    if (total) this.#show([`${count(total, "element has", "elements have")} `, quoted, total > most ? `; the first ${number(most)} are shown.` : "."], elements);
    else if (kept) this.#show([quoted, ` is in section ${kept.section} of the working state, but not published.`]);
    else this.#show(["No element has ", quoted, ` in one of these: ${where}. Upper and lower case matter.`]);
  }

  #go({ id, indexPath }) {
    this.#show([h("bdi", null, id), ` is at [${indexPath.join(", ")}].`]);
    this.goTo(indexPath);
  }

  /** What a query has found stands elsewhere in the list itself. */
  #goToFound({ id, section }) {
    return busy(this.button, this.outcome, async () => {
      this.outcome.clear();
      const places = await placesOf(this.context, this.name, id), place = places.find(each => each.section === section) ?? places[0];
      if (!place) throw new Error(`${id} is gone meanwhile.`);
      this.goTo(place.indexPath);
    });
  }

  /** The elements of which a member has a text, also where it begins with a capital or is in capitals. */
  async #having(wanted, members) {
    const forms = [...new Set([wanted, wanted.toLowerCase(), wanted.toUpperCase(), wanted[0].toUpperCase() + wanted.slice(1)])];
    const where = { or: [...[{ path: "id" }, ...members].flatMap(({ path, isNumber }) => isNumber ? [{ "==": [{ var: path }, Number(wanted)] }]
      : forms.map(form => ({ in: [form, { var: path }] })))] };
    const { api, signal } = this.context;
    return (await api.get(`${directorPath(this.name)}/elements`, { query: { where: JSON.stringify(where), state: "published", limit: most }, signal })).body;
  }

  /** The members that have texts, as the first elements tell; where a number is looked for, those that have numbers, too. */
  async #members(wanted) {
    const { api, signal } = this.context, isNumber = Number.isFinite(Number(wanted)), found = new Map();
    const { body } = await api.get(`${directorPath(this.name)}/elements`, { query: { state: "published", limit: samples }, signal });
    const look = (value, names) => {
      const kind = typeof value, isFigure = kind === "number" || value instanceof Number;
      if (kind === "string" || isFigure && isNumber) found.set(names.join("."), { name: names.slice(1).join(".") || "value", path: names.join("."), isNumber: isFigure });
      else if (kind === "object" && value && !Array.isArray(value) && names.length < 4) {
        for (const [name, each] of Object.entries(value)) if (!name.includes(".")) look(each, [...names, name]);
      }
    };
    for (const { value } of body.elements) look(value, ["value"]);
    return [...found.values()].slice(0, membersAtMost);
  }
}
