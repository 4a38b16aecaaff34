/**
 * What was typed and not sent. It stays while the console is open, whatever page is shown meanwhile and whoever signs in
 * again; a browser that is about to leave the console asks first.
 *
 * A place is an array of texts that says what was typed where: `["element", list, element]`.
 */
class Drafts {
  #kept = new Map();

  get size() {
    return this.#kept.size;
  }

  get(place) {
    return this.#kept.get(JSON.stringify(place))?.draft;
  }

  set(place, draft) {
    this.delete(place);
    this.#kept.set(JSON.stringify(place), { place, draft });
  }

  delete(place) {
    this.#kept.delete(JSON.stringify(place));
  }

  /** Forgets the drafts whose places begin so. */
  drop(...start) {
    for (const { place } of this.#within(start)) this.delete(place);
  }

  clear() {
    this.#kept.clear();
  }

  /** The drafts whose places begin so, the one that was typed last at the end. */
  within(...start) {
    return this.#within(start).map(({ draft }) => draft);
  }

  #within(start) {
    return [...this.#kept.values()].filter(({ place }) => start.every((part, n) => place[n] === part));
  }
}

export const drafts = new Drafts();

addEventListener("beforeunload", event => {
  if (drafts.size) event.preventDefault();
});

/**
 * Keeps what is typed into a form, and puts back what was typed there before. Passwords and files are left out, and what
 * follows from other fields; `put-back` is dispatched where the form has other values by that.
 * @param {HTMLFormElement} form
 * @param {string[]} place
 */
export class FormDraft {
  #form;
  #place;
  /** What the form has when nothing is typed. */
  #plain;
  /** Whether something was put back. */
  isPutBack;

  constructor(form, place) {
    this.#form = form;
    this.#place = place;
    this.#plain = this.#values;
    const kept = drafts.get(place);
    this.isPutBack = kept?.length === this.#plain.length;
    if (this.isPutBack) this.#put(kept);
    for (const type of ["input", "change"]) form.addEventListener(type, () => this.#keep());
  }

  /** Nothing is to be kept of what the form has now. */
  settle() {
    drafts.delete(this.#place);
    this.#plain = this.#values;
  }

  /** Throws away what was typed. */
  discard() {
    drafts.delete(this.#place);
    this.#put(this.#plain);
  }

  get #controls() {
    return [...this.#form.elements].filter(each => each.matches("input:not([type=password], [type=file]), select, textarea") && !each.closest("[data-derived]"));
  }

  get #values() {
    return this.#controls.map(each => each.type === "checkbox" ? each.checked : each.value);
  }

  #put(values) {
    this.#controls.forEach((each, n) => {
      if (each.type === "checkbox") each.checked = values[n];
      // The choices of a select may come later.
      else if (each.matches("select") && ![...each.options].some(({ value }) => value === values[n])) each.dataset.wanted = values[n];
      else each.value = values[n];
    });
    this.#form.dispatchEvent(new Event("put-back"));
  }

  #keep() {
    const values = this.#values;
    // A select whose choices came later has no value of its own at first.
    const isPlain = this.#controls.every((each, n) => values[n] === this.#plain[n] || this.#plain[n] === "" && each.matches("select"));
    if (isPlain) drafts.delete(this.#place);
    else drafts.set(this.#place, values);
  }
}
