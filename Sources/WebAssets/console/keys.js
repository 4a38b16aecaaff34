import { h } from "./dom.js";
import { show } from "./action.js";

/** Within this time the second key of `g l` has to come, in milliseconds. */
const pauseBetween = 1500;

/** Keyboard shortcuts: single keys, and `g` with a letter. Where something is typed, they are left alone. */
export class Keys {
  #bound = new Map();
  #waits = -Infinity;
  /** Whether no shortcut does anything. */
  isOff = false;

  constructor() {
    document.addEventListener("keydown", event => this.#press(event));
    this.bind("?", "Show the shortcuts", () => this.#help());
    this.bind("/", "Go to the search field", () => document.querySelector("main [data-search]")?.focus());
  }

  /** Binds `"r"` or `"g l"`; returns what takes it back. */
  bind(keys, says, does) {
    this.#bound.set(keys, { says, does });
    return () => void this.#bound.delete(keys);
  }

  /** What can be done by a key now, but for going to a page. */
  get all() {
    return [...this.#bound].filter(([keys]) => !keys.startsWith("g ")).map(([, bound]) => bound);
  }

  #press(event) {
    const { key, target } = event;
    if (this.isOff || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (target.closest?.("input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable], dialog")) return;
    const isSecond = performance.now() - this.#waits < pauseBetween;
    this.#waits = -Infinity;
    const found = this.#bound.get(isSecond ? `g ${key}` : key);
    if (found) {
      event.preventDefault();
      found.does();
    } else if (key === "g") this.#waits = performance.now();
  }

  #help() {
    const entries = [["⌘K Ctrl+K", { says: "Go to a list, an element or a page, or do something" }], ...this.#bound].map(([keys, { says }]) =>
      h("div", null, h("dt", null, keys.split(" ").map(key => [h("kbd", null, key), " "])), h("dd", null, says)));
    const dialog = h("dialog", { class: "shortcuts", "aria-labelledby": "shortcuts-title" },
      h("h2", { id: "shortcuts-title" }, "Keyboard shortcuts"), h("dl", null, entries),
      h("div", { class: "actions" }, h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Close")));
    show(dialog);
  }
}
