/**
 * The frame of the console: navigation, sign-in, the line that says that the server cannot be reached, shortcuts.
 *
 * `pages.js` lists the pages. A page's `show(context)` fills `context.main` and returns nothing, or a function that is
 * called when the page is left. It may be async. The context has
 *
 * - `main`: the element to fill; the page's heading (`h1`) is there already, and `title(text)` changes it
 * - `address`: `{path, segments, params, query}` of the fragment, decoded; `query` is a `URLSearchParams`
 * - `go(address)`, and `replace(address)`, which changes the fragment without showing the page anew
 * - `board`: the client; `api`: requests (`api.js`); `session`: who asks, and `may(right, director?)` (`session.js`)
 * - `check()`: asks who it is; where the rights are others, the page has been left once that resolves
 * - `signal`: aborted when the page is left
 * - `live(fn, milliseconds)`: calls `fn` now and again after that time (`live.js`), as long as the page is shown and visible;
 *   what it throws is shown at the top of the page until it succeeds. Returns a function that calls it at once.
 * - `fail(error)`: shows an error at the top of the page; `fail()` takes it back
 * - `shortcut(keys, says, fn)`: a keyboard shortcut of the page
 * - `offer(source)`: choices of the page's own in the palette (`palette.js`)
 *
 * A page is shown anew when the session has other rights. While a token is asked for, it is kept as it is, and goes on
 * where it was.
 *
 * Elements are made with `dom.js`, tables with `table.js`, whatever changes something with `action.js`.
 */
import { confirm, problem } from "./action.js";
import { drafts } from "./drafts.js";
import { announce, count, fill, h, text, tick, when } from "./dom.js";
import { Held } from "./held.js";
import { icon } from "./icons.js";
import { Keys } from "./keys.js";
import { live, saidElsewhere } from "./live.js";
import { listsNamed, matching, openPalette } from "./palette.js";
import { changedRights } from "./parts.js";
import { addressOf, match } from "./routes.js";
import { SessionWatch } from "./session-watch.js";
import { SideBar } from "./side-bar.js";
import { askForToken } from "./sign-in.js";
import { clearToasts, toastRegion, undoNewest } from "./toasts.js";

export class Shell {
  #pages;
  #keys = new Keys();
  #watch = new SessionWatch({
    ask: (why, isGuest) => this.#ask(why, isGuest), goOn: () => this.#goOn(), begin: before => this.#begin(before),
    away: since => this.#away(since), signedOut: () => this.#clear(), welcomeGuest: () => this.#welcomeGuest(),
    failed: error => void fill(this.main, h("h1", null, "Callboard"), h("div", { class: "problem" }, problem(error))),
  });
  /** Ends what the shown page has begun. */
  #leave = () => {};
  /** The address that is shown. */
  #shown;
  /** The page while a token is asked for. */
  #held;
  /** Whether the page could not begin, since the server was away or wanted a token. */
  #isUnopened = false;
  /** What a page that goes on does at once. */
  #lives = new Set();
  /** What the shown page offers in the palette. */
  #offers = new Set();

  constructor(pages) {
    this.#pages = pages;
    this.#frame();
  }

  /** Begins: who asks, then the page of the address. */
  async start() {
    addEventListener("hashchange", () => {
      if (this.#watch.isAsking && this.isGuest) this.#watch.goOnAsGuest();
      else this.#show(true);
    });
    setInterval(tick, 1000);
    this.#keys.bind("u", "Undo what was done last, while that is offered", () => undoNewest() || announce("There is nothing to undo."));
    for (const page of this.#pages.filter(page => page.key)) {
      this.#keys.bind(`g ${page.key}`, `Go to ${page.title}`, () => this.#go(page.path));
    }
    document.addEventListener("keydown", event => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      this.#openPalette();
    });
    await this.#watch.check();
  }

  get #shownInNav() {
    return this.#pages.filter(page => !page.parent && !page.to);
  }

  /** Opens the palette, where somebody is known who may see something. */
  #openPalette() {
    const { session, isAsking, api } = this.#watch;
    if (!session || isAsking || document.querySelector("dialog[open]")) return;
    const go = target => this.#go(target);
    const pages = this.#shownInNav.map(page => ({ title: page.title, kind: "Page", does: () => go(page.path) }));
    const actions = this.#keys.all.map(({ says, does }) => ({ title: says, kind: "Action", does }));
    openPalette([...this.#offers, listsNamed({ api, go }), matching(pages), matching(actions)]);
  }

  #frame() {
    this.main = h("main", { id: "main", tabindex: "-1" });
    this.gate = h("main", { tabindex: "-1", hidden: true });
    this.line = h("div", { class: "unreachable", role: "status", hidden: true });
    const toContent = event => {
      event.preventDefault();
      (this.main.hidden ? this.gate : this.main).focus();
    };
    this.bar = new SideBar(this.#shownInNav, () => this.#openPalette());
    document.body.replaceChildren(
      h("a", { class: "skip", href: "#main", onclick: toContent }, "To the content"),
      this.bar.node, this.line, this.main, this.gate, toastRegion(),
      h("div", { id: "notices", class: "unseen", role: "status" }), h("div", { id: "alerts", class: "unseen", role: "alert" }));
  }

  #go(address) {
    if (location.hash === `#${address}`) this.#show(true);
    else location.hash = address;
  }

  /** A session has begun that has other rights than the one before. */
  #begin(before) {
    this.#closeGate();
    this.#held = undefined;
    this.#drawWho();
    this.#show(false, before);
  }

  /** The page goes on where it was. */
  #goOn() {
    this.#drawWho();
    if (!this.#held) return;
    const held = this.#held;
    this.#held = undefined;
    this.#closeGate();
    // Where the address has changed meanwhile, another page is wanted.
    if (this.#shown !== location.hash) return this.#show(true);
    if (this.#isUnopened) return this.#show(false);
    held.release();
    for (const run of this.#lives) run();
  }

  get who() {
    return this.bar.who;
  }

  #drawWho() {
    const { session } = this.#watch, { principal, isSignedIn, asksForTokens } = session;
    const says = JSON.stringify([principal, isSignedIn]);
    if (this.who.dataset.says === says && this.who.firstChild) return;
    this.who.dataset.says = says;
    const button = (label, does) => h("button", { type: "button", class: "quiet", title: label, onclick: does }, icon("leave"), h("span", { class: "word" }, label));
    const out = button("Sign out", () => this.#signOut()), into = button("Sign in", () => this.#watch.ask("", true));
    // A static token is known by its identifier, and in brackets by its name, which says more.
    const name = /^tok_\S+ \((.+)\)$/.exec(principal)?.[1] ?? principal;
    fill(this.who, h("span", { class: "word", title: `Who asks: ${principal}` }, asksForTokens ? name : "no token needed"), isSignedIn ? out : asksForTokens && into);
  }

  async #signOut() {
    const says = `What was typed in ${count(drafts.size, "place")} and not sent is thrown away.`;
    if (drafts.size && !await confirm({ title: "Sign out", says, label: "Sign out" })) return;
    await this.#watch.signOut();
  }

  /** Leaves nothing for who comes next. */
  #clear() {
    drafts.clear();
    clearToasts();
    this.#leave();
    fill(this.main);
  }

  #away(since) {
    this.line.hidden = !since;
    if (!since && this.#isUnopened) this.#show(false);
    fill(this.line, since && [h("strong", null, "The server cannot be reached"), ` since ${since.toLocaleTimeString("en-GB")} (`,
      when(since), "). What is shown is from before. Trying again…"]);
  }

  /** Asks for a token in the page's place; a guest, who may see something without one, keeps the navigation. */
  #ask(why, isGuest) {
    this.isGuest = false;
    this.#held = new Held();
    this.#keys.isOff = true;
    this.main.hidden = true;
    this.gate.hidden = false;
    document.title = "Sign in · Callboard";
    this.offerGuest = askForToken(this.gate, why, () => this.#watch.signedIn(), () => this.#watch.goOnAsGuest());
    if (isGuest) this.#welcomeGuest();
    else fill(this.who);
    document.body.classList.toggle("signed-out", !isGuest);
  }

  /** Something may be seen without a token. */
  #welcomeGuest() {
    this.isGuest = true;
    document.body.classList.remove("signed-out");
    this.offerGuest();
  }

  #closeGate() {
    this.#keys.isOff = false;
    this.gate.hidden = true;
    this.main.hidden = false;
    fill(this.gate);
    document.body.classList.remove("signed-out");
  }

  #show(isMove, before) {
    const { session, isAsking } = this.#watch;
    if (!session || isAsking) return;
    const { page, address } = this.#find();
    if (page?.to) {
      history.replaceState(null, "", `#${page.to(address)}`);
      return this.#show(isMove, before);
    }
    this.#leave();
    this.#shown = location.hash;
    this.#isUnopened = false;
    this.bar.mark(page?.parent ?? page?.id);
    const heading = h("h1", { tabindex: "-1", dir: "auto" }), error = h("div", { class: "problem", role: "alert", hidden: true });
    const content = h("div", { class: ["page", `page-${page?.id ?? "none"}`] });
    fill(this.main, heading, before && changedRights(before, session, address.params.name), error, content);
    const title = value => {
      fill(heading, value, page?.tab && h("span", { class: "unseen" }, `: ${page.tab}`));
      document.title = `${page?.tab ? `${page.tab} of ` : ""}${value} · Callboard`;
    };
    if (page) this.#open(page, address, { content, error, title });
    else {
      title("There is no such page");
      fill(content, h("p", null, "This address leads nowhere: ", h("code", null, address.path)));
    }
    if (isMove) {
      heading.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  }

  #open(page, address, { content, error, title }) {
    title(typeof page.title === "function" ? page.title(address) : page.title);
    const control = new AbortController(), ends = [], { signal } = control;
    const fail = problemOf => {
      error.hidden = !problemOf;
      fill(error, problemOf ? problem(problemOf) : null);
    };
    const watch = this.#watch, { board, api, session } = watch;
    const context = {
      main: content, address, title, fail, board, api, session, signal,
      go: target => this.#go(target),
      replace: target => {
        history.replaceState(null, "", `#${target}`);
        if (!signal.aborted) this.#shown = location.hash;
      },
      check: () => watch.check(),
      live: (fn, milliseconds) => {
        const run = live(fn, milliseconds, { signal, isHeld: () => watch.isAsking, fail });
        this.#lives.add(run);
        return run;
      },
      shortcut: (keys, says, fn) => void ends.push(this.#keys.bind(keys, says, fn)),
      offer: source => void this.#offers.add(source),
    };
    this.#leave = () => {
      this.#leave = () => {};
      this.#lives.clear();
      this.#offers.clear();
      control.abort();
      for (const end of ends) end();
      for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    };
    Promise.resolve().then(() => page.show(context)).then(end => {
      if (!end) return;
      if (signal.aborted) end();
      else ends.push(end);
    }).catch(problemOf => {
      if (signal.aborted) return;
      this.#isUnopened = saidElsewhere.includes(problemOf.status);
      if (!this.#isUnopened) fail(problemOf);
    });
  }

  #find() {
    const address = addressOf(location.hash);
    for (const page of this.#pages) {
      const params = match(page.path, address.segments);
      if (params) return { page, address: { ...address, params } };
    }
    return { address };
  }
}
