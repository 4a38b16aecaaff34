/** What a list's page has of the list's earlier versions: a button, and, once it was pressed, `history.js`. */
import { h } from "./dom.js";
import { openLater } from "./places.js";

/** Of so many versions it is known when they arrived. */
const mostKnown = 1000;

export class PastOfPage {
  /** What is not there while an earlier version is shown. */
  replaces = [];
  /** What of these the banner covers. */
  changing;
  #context;
  #list;
  #came = new Map();
  #changed;
  #history;
  #isOpening = false;

  /** `changed` is called when another version is shown. */
  constructor(context, list, changed) {
    this.#context = context;
    this.#list = list;
    this.#changed = changed;
    const place = () => h("div", { hidden: true });
    [this.node, this.view, this.beside] = [place(), place(), place()];
    this.button = h("button", { type: "button", class: "quiet push", "aria-expanded": "false", onclick: () => this.toggle() }, "History");
  }

  /** Whether an earlier version is shown. */
  get isShown() {
    return this.#history?.version !== undefined;
  }

  /** What of the page's address says which one. */
  get query() {
    return this.isShown && `version=${this.#history.version}`;
  }

  /** Shows the version of the page's address. */
  takeUp() {
    const version = this.#context.address.query.get("version");
    if (/^\d+$/.test(version)) this.#open(Number(version));
  }

  toggle() {
    if (this.#history) this.#close();
    else this.#open();
  }

  async #open(version) {
    const { signal, fail } = this.#context;
    if (this.#isOpening || this.#list.version < 0) return;
    this.#isOpening = true;
    try {
      const { History } = await openLater();
      if (signal.aborted) return;
      this.#history = new History(this.#context, { list: this.#list, came: this.#came, shown: () => this.#draw() });
      this.node.replaceWith(this.node = this.#history.node);
      this.view.replaceWith(this.view = this.#history.view.node);
      this.beside.replaceWith(this.beside = this.#history.view.beside);
      this.changing.after(this.#history.banner);
      this.button.setAttribute("aria-expanded", "true");
      await this.#history.begin(version);
    } catch (error) {
      if (!signal.aborted) fail(error);
    } finally {
      this.#isOpening = false;
    }
  }

  #close() {
    this.#history.stop();
    this.#history.banner.remove();
    this.#history = undefined;
    for (const node of [this.node, this.view, this.beside]) node.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.#draw();
  }

  #draw() {
    for (const node of this.replaces) node.hidden = this.isShown;
    // The banner is where that was, so that the slider does not move below the pointer.
    this.changing.classList.toggle("away", this.isShown);
    this.#changed();
  }

  /** Something has happened to the list. */
  hear({ type, changeset }) {
    if (changeset) {
      this.#came.set(changeset.version, new Date());
      if (this.#came.size > mostKnown) this.#came.delete(this.#came.keys().next().value);
    }
    if (type === "snapshot") this.#came.clear();
    this.#history?.grow();
  }

  redraw() {
    this.#history?.redraw();
  }

  /** Shows the list as it is now. */
  leave() {
    this.#history?.go(undefined);
  }

  focus() {
    this.view.querySelector("[role=listbox]")?.focus();
  }

  stop() {
    this.#history?.stop();
  }
}
