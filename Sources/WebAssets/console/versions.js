import { field } from "./action.js";
import { address, count, fill, h, number, text, when } from "./dom.js";
import { summary } from "./steps.js";

/** How many versions are asked for at once, and kept at most. */
const portion = 20, most = 500;

/** The versions of a list that are known, newest first, and the form for a span of them. */
export class Versions {
  #context;
  #base;
  #show;
  #entries = new Map();
  #epoch;
  /** Whether each new version is shown as it comes. */
  isFollowing = false;

  /** @param {(span: {from: number, to: number}) => void} show Shows the changeset between two versions. */
  constructor(context, name, show) {
    this.#context = context;
    this.#base = address`/v1/directors/${name}`;
    this.#show = show;
    this.list = h("ol", { reversed: true, "aria-label": `Versions of ${name}` });
    this.counted = h("p", { class: "muted" });
    this.earlier = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => this.#loadEarlier() }, "Earlier versions");
    const follow = h("input", { type: "checkbox", onchange: () => {
      this.isFollowing = follow.checked;
      if (follow.checked && this.newest) show({ from: this.newest.from, to: this.newest.version });
    } });
    this.node = h("div", { class: "versions" }, this.#spanForm(),
      h("div", { class: "bar" }, field("Show each as it comes", follow), this.counted), this.list, this.earlier);
  }

  #spanForm() {
    const bound = () => h("input", { type: "number", min: 0, step: 1, required: true });
    this.bounds = [bound(), bound()];
    return h("form", { class: "bar", "aria-label": "Span of versions", onsubmit: event => {
      event.preventDefault();
      const [from, to] = this.bounds.map(({ value }) => Number(value));
      this.#show({ from, to });
    } }, field("From", this.bounds[0]), field("To", this.bounds[1]), h("button", { type: "submit" }, "Show as one"));
  }

  /** The newest changeset that is known. */
  get newest() {
    return this.#entries.get(Math.max(...this.#entries.keys()))?.changeset;
  }

  /** Loads the changesets after a version, as far as they are not known. */
  async #loadSince(version) {
    const { api, signal } = this.#context;
    const { changesets } = (await api.get(`${this.#base}/changesets`, { query: { since: version }, signal })).body;
    for (const changeset of changesets) this.add(changeset);
  }

  /** Loads the newest versions. The API does not tell which is the oldest, so fewer are asked for where some are gone. */
  async load(version) {
    for (let size = Math.min(portion, version); size > 0; size >>= 2) {
      try {
        return await this.#loadSince(version - size);
      } catch (error) {
        if (error.status !== 410) throw error;
      }
    }
  }

  async #loadEarlier() {
    const oldest = Math.min(...this.#entries.keys());
    try {
      await this.#loadSince(Math.max(0, oldest - 1 - portion));
    } catch (error) {
      this.earlier.disabled = true;
      text(this.earlier, error.status === 410 ? "Earlier versions are not retained" : error.message);
    }
  }

  /** `date` is when it came; the API does not tell when a version was published. */
  add(changeset, date) {
    const { epoch, from, version } = changeset;
    if (this.#epoch !== epoch) this.#clear();
    this.#epoch = epoch;
    if (this.#entries.has(version)) return;
    const button = h("button", { type: "button", class: "moment", onclick: () => this.#show({ from, to: version }) },
      h("strong", null, number(version)), h("span", null, from === version - 1 ? "" : `since ${number(from)}, `, summary(changeset)),
      date ? when(date) : null);
    const node = h("li", null, button);
    const next = Math.max(...[...this.#entries.keys()].filter(other => other < version));
    this.list.insertBefore(node, this.#entries.get(next)?.node ?? null);
    this.#entries.set(version, { changeset, node, button });
    const oldest = Math.min(...this.#entries.keys());
    if (this.#entries.size > most) {
      this.#entries.get(oldest).node.remove();
      this.#entries.delete(oldest);
    }
    this.earlier.hidden = oldest <= 1 || this.#entries.size >= most;
    text(this.counted, count(this.#entries.size, "version"));
  }

  /** The list was made anew: its versions count from the beginning. */
  #clear() {
    this.#entries.clear();
    fill(this.list);
  }

  /** Marks the versions that a span has. */
  mark(from, to) {
    [from, to].forEach((value, n) => this.bounds[n].value = value);
    for (const [version, { button, changeset }] of this.#entries) {
      if (version > from && version <= to) button.setAttribute("aria-current", changeset.from === from && version === to ? "true" : "step");
      else button.removeAttribute("aria-current");
    }
  }
}
