import { Callboard, stringifyJSON } from "./beside.js";
import { node } from "./dom.js";
import { line, memberOf } from "./previews.js";
import { renderVirtual } from "./render-virtual.js";

/** @typedef {import("./types.js").Element} Element */

/** How long a stream may be opened anew before the list says so, in milliseconds. */
const patience = 1000;

/**
 * The servers that elements follow lists of, each with one stream; those with a token of their own are not here.
 * @type {Map<string | undefined, Callboard>}
 */
const boards = new Map();

const sheet = `
:host { display: block; height: 20em; position: relative; }
:host([hidden]), [hidden] { display: none; }
.frame { display: flex; flex-direction: column; height: 100%; }
.list { flex: 1; min-height: 0; }
[part]:focus-visible { outline: 2px solid var(--callboard-accent, Highlight); outline-offset: -2px; }
[part~=row], [part=header], [part=footer], [part=status] { padding: 0 var(--callboard-inset, 0.75em); }
[part~=row] { background: var(--callboard-background, Canvas); color: var(--callboard-text, CanvasText); cursor: default;
  display: flex; flex-direction: column; justify-content: center; border-bottom: 1px solid var(--callboard-line, #8884); }
[part~=row][aria-selected] { box-shadow: inset 3px 0 var(--callboard-accent, Highlight); }
[part=header], [part=footer] { display: flex; align-items: end; font-weight: 600; }
[part] [part] { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
[part=subtitle], [part=badge], [part=status] { font-size: 0.85em; }
[part=badge] { padding: 0 0.6em; border: 1px solid var(--callboard-line, #8884); border-radius: 1em; }
[part=status] { padding-block: 0.3em; }`;

/**
 * A list of a Callboard server, live, however long it is: `<callboard-list src="https://server" name="countries">`.
 *
 * Its attributes are `src` (the server, unless given the page's own origin), `name`, `section` (the one section to show),
 * `row-height` and `label`. It tells of `change`, `select` (`detail` has `element` and `path`) and `status` (`detail` has
 * `state`: `loading`, `live`, `stale`, `error` or `gone`); the attribute `state` says the same to style sheets.
 */
export class CallboardList extends (globalThis.HTMLElement ?? Object) {
  static get observedAttributes() {
    return ["src", "name", "section", "row-height", "label"];
  }

  /**
   * The list that is followed.
   * @type {import("./sparse-list.js").SparseList | undefined}
   */
  list;
  /**
   * Makes what a row shows, as the function of `render` does.
   * @type {import("./render-virtual.js").VirtualOptions["element"]}
   */
  #row;
  /** @type {import("./tokens.js").Token | (() => import("./tokens.js").Token | Promise<import("./tokens.js").Token>) | undefined} */
  #token;
  /** @type {ReturnType<typeof renderVirtual> | undefined} */
  #view;
  #end = new AbortController();
  #isPlanned = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Callboard | undefined} */
  #own;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet();
    style.replaceSync(sheet);
    root.adoptedStyleSheets = [style];
    const slot = (/** @type {string} */ name, /** @type {string} */ text) => node("slot", { name, hidden: "" }, text);
    root.append(node("div", { class: "frame" }, node("div", { class: "list" }),
      slot("loading", "Loading …"), slot("empty", "The list is empty."), slot("error", ""),
      node("div", { part: "status", role: "status" })));
  }

  /** What makes a row's content of an element, its cell's name and the node that it made before. */
  get row() {
    return this.#row;
  }

  set row(row) {
    this.#row = row;
    this.#plan();
  }

  /** The token, or what gives one, as for `Callboard`. */
  get token() {
    return this.#token;
  }

  set token(token) {
    this.#token = token;
    this.#plan();
  }

  connectedCallback() {
    // What was set before the element was known is a member that hides the accessor.
    for (const name of /** @type {const} */ (["row", "token"])) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      /** @type {any} */ (this)[name] = value;
    }
    this.#plan();
  }

  disconnectedCallback() {
    this.#stop();
  }

  attributeChangedCallback() {
    this.#plan();
  }

  /** Begins anew once all that changes in one go has changed. */
  #plan() {
    if (this.#isPlanned || !this.isConnected) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      this.#stop();
      if (this.isConnected && this.getAttribute("name")) this.#start();
    });
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#end.abort();
    this.#view?.stop();
    this.list?.close();
    this.#own?.close();
    this.#view = this.list = this.#own = undefined;
  }

  #start() {
    const { signal } = this.#end = new AbortController(), given = (/** @type {string} */ name) => this.getAttribute(name) || undefined;
    const url = given("src");
    let board = this.#token ? this.#own = new Callboard({ url, token: this.#token, share: false }) : boards.get(url);
    if (!board) boards.set(url, board = new Callboard({ url }));
    const list = this.list = board.follow(/** @type {string} */ (given("name")), { sparse: true });
    this.#view = renderVirtual(list, this.#part(".list"), {
      element: this.#row ?? this.#template(), rowHeight: Number(given("row-height")) || undefined, label: given("label"), section: given("section"),
      select: (element, path) => this.#tell("select", { element, path }),
    });
    for (const type of ["status", "mismatch", "snapshot", "change"]) {
      list.addEventListener(type, () => {
        this.#show();
        if (type === "snapshot" || type === "change") this.#tell("change", { version: list.version });
      }, { signal });
    }
    this.#show();
  }

  /** Says in words where the list stands. */
  #show() {
    const list = this.list;
    if (!list) return;
    clearTimeout(this.#timer);
    const { status, version, isStale, error } = list, stale = () => this.#say("stale", "Out of date. Waiting for a connection.");
    if (status === "connecting" && version >= 0 && this.getAttribute("state") === "live") {
      this.#timer = setTimeout(stale, patience);
    } else if (status === "over" || (status === "failed" && /** @type {any} */ (error)?.status === 404)) {
      this.#say("gone", "The list is not there.");
    } else if (status === "failed") this.#say("error", error?.message ?? "The list is not shown.");
    else if (version < 0 && status === "waiting") this.#say("error", "Waiting for a connection.");
    else if (version < 0) this.#say("loading", "");
    else if (isStale) stale();
    else this.#say("live", "");
  }

  /**
   * @param {string} state
   * @param {string} text
   */
  #say(state, text) {
    const empty = this.list?.shown.every(({ elements }) => !elements.length) && "empty";
    const shown = /** @type {any} */ ({ gone: "error", live: empty, stale: empty })[state] ?? state;
    this.shadowRoot?.querySelectorAll("slot").forEach(slot => slot.hidden = slot.name !== shown);
    const status = this.#part("[part=status]");
    if (status.textContent !== text) status.textContent = text;
    status.hidden = !text;
    this.#part(".list").hidden = state === "gone";
    if (this.getAttribute("state") === state) return;
    this.setAttribute("state", state);
    this.#tell("status", { state });
  }

  /**
   * @param {string} type
   * @param {object} detail
   */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /**
   * @param {string} selector
   * @returns {HTMLElement}
   */
  #part(selector) {
    return /** @type {any} */ (this.shadowRoot?.querySelector(selector));
  }

  /** What draws a row as the template says, whose texts name members: `{{value.name}}`. They are put in as text. */
  #template() {
    const template = this.querySelector("template");
    if (!template) return undefined;
    /** @type {WeakMap<globalThis.Element, {node: Text, text: string}[]>} */
    const texts = new WeakMap();
    return (/** @type {Element} */ element, /** @type {string | undefined} */ cell, /** @type {globalThis.Element | undefined} */ known) => {
      const made = known ?? node("div", {});
      if (!known) {
        made.append(template.content.cloneNode(true));
        const walker = document.createTreeWalker(made, NodeFilter.SHOW_TEXT), found = [];
        while (walker.nextNode()) {
          const node = /** @type {Text} */ (walker.currentNode);
          if (node.data.includes("{{")) found.push({ node, text: node.data });
        }
        texts.set(made, found);
      }
      for (const { node, text } of texts.get(made) ?? []) node.data = text.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (_, path) =>
        line(memberOf({ ...element, cell }, path.split(".")) ?? "", stringifyJSON));
      return made;
    };
  }
}

globalThis.customElements?.get("callboard-list") ?? globalThis.customElements?.define("callboard-list", CallboardList);
