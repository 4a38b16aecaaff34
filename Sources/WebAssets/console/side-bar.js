/**
 * The pages of the console: beside the shown one, where the window has room for it, to be folded to their signs; on a phone in a
 * menu above it.
 */
import { h, text, unique } from "./dom.js";
import { icon } from "./icons.js";

/** Where it is kept whether the bar is folded, once somebody has chosen; narrower windows fold it by themselves. */
const kept = "callboard.side-bar";
const hasRoom = matchMedia("(min-width: 1200px)");

export class SideBar {
  /** Who asks, and the buttons to sign in or out. */
  who = h("div", { class: "who" });

  constructor(pages, openPalette) {
    const word = says => h("span", { class: "word" }, says);
    this.links = pages.map(({ id, path, title }) => h("a", { href: `#${path}`, "data-page": id, title }, icon(id), word(title)));
    this.menu = h("div", { class: "menu", id: unique("menu") }, h("nav", { "aria-label": "Pages" },
      h("ul", null, this.links.map(each => h("li", null, each)))), this.who);
    this.opening = h("button", { type: "button", class: "quiet open-menu", "aria-expanded": "false", "aria-controls": this.menu.id,
      onclick: () => this.#open(!this.isOpen) }, icon("menu"), "Menu");
    this.foldWord = word("");
    this.folding = h("button", { type: "button", class: "quiet fold", onclick: () => this.#choose() }, icon("fold"), this.foldWord);
    this.node = h("header", { onkeydown: event => {
      if (event.key !== "Escape" || !this.isOpen) return;
      this.#open(false);
      this.opening.focus();
    }, onfocusout: ({ relatedTarget }) => relatedTarget && !this.node.contains(relatedTarget) && this.#open(false) },
    h("a", { class: "brand", href: "#/", title: "Callboard" }, h("img", { src: "icon.svg", alt: "", width: 20, height: 20 }), word("Callboard")),
    h("button", { type: "button", class: "quiet go-to", title: "Go to a list, an element or a page, or do something (⌘K, Ctrl K)",
      onclick: openPalette }, icon("search"), word(["Go to… ", h("kbd", null, /Mac|iP/.test(navigator.platform) ? "⌘K" : "Ctrl K")])),
    this.opening, this.menu, this.folding);
    addEventListener("click", ({ target }) => this.node.contains(target) || this.#open(false));
    hasRoom.addEventListener("change", () => this.#drawFolded());
    this.#drawFolded();
  }

  /** Marks the page that is shown; its menu has done what it was opened for. */
  mark(id) {
    this.#open(false);
    for (const each of this.links) each.ariaCurrent = each.dataset.page === id ? "page" : null;
  }

  get isOpen() {
    return this.node.classList.contains("open");
  }

  #open(isOpen) {
    this.node.classList.toggle("open", isOpen);
    this.opening.ariaExpanded = `${isOpen}`;
  }

  get #isFolded() {
    const chosen = stored();
    return chosen ? chosen === "folded" : !hasRoom.matches;
  }

  #choose() {
    stored(this.#isFolded ? "unfolded" : "folded");
    this.#drawFolded();
  }

  #drawFolded() {
    document.body.classList.toggle("folded", this.#isFolded);
    this.folding.title = text(this.foldWord, this.#isFolded ? "Unfold the side bar" : "Fold the side bar").textContent;
  }
}

/** What is kept, or is to be; a browser that keeps nothing forgets it with the page. */
function stored(value) {
  try {
    if (value) localStorage.setItem(kept, value);
    return localStorage.getItem(kept);
  } catch {
    return stored.here = value ?? stored.here;
  }
}
