/** What a view's definition selects, asked for as it is typed: how many elements belong, the first of them, and why. */
import { count, fill, h, number } from "./dom.js";
import { line, write } from "./json.js";
import { directorPath } from "./places.js";

/** How many elements are shown, and after how many milliseconds without typing. */
const shown = 5, rest = 250;
/** How many conditions are told one by one. */
const most = 8;

export class ViewPreview {
  #context;
  #timer;
  #asked = 0;

  constructor(context) {
    this.#context = context;
    this.node = h("div", { class: "preview", role: "status" });
  }

  /** Shows what a definition selects, a moment later. */
  show(read) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(read), rest);
  }

  async #ask(read) {
    const asked = ++this.#asked;
    let content;
    try {
      content = await this.#content(read());
    } catch (error) {
      content = h("p", { class: "note" }, error.detail ?? error.message);
    }
    if (asked === this.#asked) fill(this.node, content);
  }

  async #content({ from, where, sortBy }) {
    if (where !== undefined && reads(where)) {
      return h("p", { class: "note" }, "What belongs depends on parameters or claims of the reader, and is not shown here.");
    }
    const order = sortBy?.length ? { sortBy: write(sortBy) } : {};
    const parts = where?.and?.slice?.(0, most) ?? [];
    const [whole, chosen, ...each] = await Promise.all([
      this.#read(from, {}), this.#read(from, { where: where === undefined ? undefined : write(where), ...order }, shown),
      ...parts.map(part => this.#read(from, { where: write(part) }))]);
    return [
      h("p", null, h("strong", null, `${number(chosen.total)} of ${count(whole.total, "element")}`), " belong",
        chosen.total ? ", beginning with" : "."),
      chosen.total > 0 && h("ol", { class: "first" }, chosen.elements.map(({ value }) => h("li", null, h("code", null, line(value))))),
      each.length > 0 && h("p", { class: "note" }, "Each condition by itself holds for"),
      each.length > 0 && h("dl", { class: "facts conditions" }, parts.map((part, n) =>
        h("div", null, h("dt", null, number(each[n].total)), h("dd", null, h("code", null, line(part)))))),
    ];
  }

  async #read(from, query, limit = 1) {
    const path = `${directorPath(from)}/elements`, { signal } = this.#context;
    return (await this.#context.api.get(path, { query: { ...query, state: "published", limit }, signal })).body;
  }
}

/** Whether an expression reads what only a reader of the view has. */
function reads(expression) {
  if (Array.isArray(expression)) return expression.some(reads);
  if (typeof expression !== "object" || expression === null) return false;
  const name = [expression.var].flat()[0];
  if (typeof name === "string" && /^(parameters|claims)(\.|$)/.test(name)) return true;
  return Object.values(expression).some(reads);
}
