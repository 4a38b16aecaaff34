/**
 * The frame of the console: navigation, sign-in, the line that says that the server cannot be reached, shortcuts.
 *
 * `pages.js` lists the pages. A page's `show(context)` fills `context.main` and returns nothing, or a function that is
 * called when the page is left. It may be async. The context has
 *
 * - `main`: the element to fill; the page's heading (`h1`) is there already, and `title(text)` changes it
 * - `address`: `{path, segments, params, query}` of the fragment, decoded; `query` is a `URLSearchParams`
 * - `go(address)`, and `replace(address)`, which changes the fragment without showing the page anew
 * - `board`: the client; `api`: requests (`api.js`); `session`: who asks, and `may(right, director?)` (`api.js`)
 * - `signal`: aborted when the page is left
 * - `live(fn, milliseconds)`: calls `fn` now and again after that time, as long as the page is shown and visible; what it
 *   throws is shown at the top of the page until it succeeds. Returns a function that calls it at once.
 * - `fail(error)`: shows an error at the top of the page; `fail()` takes it back
 * - `shortcut(keys, says, fn)`: a keyboard shortcut of the page
 *
 * Elements are made with `dom.js`, tables with `table.js`, whatever changes something with `action.js`.
 */
import { Callboard } from "/client.js";
import { Api, Session } from "./api.js";
import { problem } from "./action.js";
import { fill, h, text, tick, when } from "./dom.js";
import { Keys } from "./keys.js";
import { askForToken } from "./sign-in.js";

/** How often the shell asks who it is, in milliseconds: while all is well, and while the server cannot be reached. */
const rest = 5000, urge = 1000;

export class Shell {
  #pages;
  #keys = new Keys();
  #api = new Api(error => this.#heard(error));
  #session;
  #board;
  /** Ends what the shown page has begun. */
  #leave = () => {};
  #unreachableSince;
  #isAsking = false;
  #timer;

  constructor(pages) {
    this.#pages = pages.map(page => ({ ...page, pattern: patternOf(page.path) }));
    this.#frame();
  }

  /** Begins: who asks, then the page of the address. */
  async start() {
    addEventListener("hashchange", () => {
      // Who may see something without a token goes on without one.
      if (this.#isAsking && this.#session) this.#isAsking = false;
      this.#show(true);
    });
    document.addEventListener("visibilitychange", () => document.hidden || this.#watch());
    setInterval(tick, 1000);
    for (const page of this.#pages.filter(page => page.key)) {
      this.#keys.bind(`g ${page.key}`, `Go to ${page.title}`, () => this.#go(page.path));
    }
    await this.#watch();
  }

  #frame() {
    this.nav = h("ul");
    this.main = h("main", { id: "main", tabindex: "-1" });
    this.who = h("div", { class: "who" });
    this.line = h("div", { class: "unreachable", role: "status", hidden: true });
    document.body.replaceChildren(
      h("a", { class: "skip", href: "#main", onclick: event => (event.preventDefault(), this.main.focus()) }, "To the content"),
      h("header", null, h("a", { class: "brand", href: "#/" }, h("img", { src: "icon.svg", alt: "", width: 20, height: 20 }), "Callboard"),
        h("nav", { "aria-label": "Pages" }, this.nav), this.who),
      this.line, this.main,
      h("div", { id: "notices", class: "unseen", role: "status" }), h("div", { id: "alerts", class: "unseen", role: "alert" }));
    fill(this.nav, this.#pages.filter(page => !page.parent).map(page =>
      h("li", null, h("a", { href: `#${page.path}`, "data-page": page.id }, page.title))));
  }

  #go(address) {
    if (location.hash === `#${address}`) this.#show(true);
    else location.hash = address;
  }

  /** Asks who it is, again and again: so it is known when the token ends, and when the server is back. */
  async #watch() {
    clearTimeout(this.#timer);
    if (document.hidden) return;
    if (!this.#isAsking) {
      try {
        const session = new Session((await this.#api.get("/v1/session")).body);
        if (!session.isSignedIn && !session.grants.length) this.#ask(this.#session ? "The session has ended." : "");
        else if (JSON.stringify(session) !== JSON.stringify(this.#session)) this.#begin(session);
      } catch (error) {
        // What it means is told by #heard; a page that was never shown has to say it by itself.
        if (!this.#session && !this.#isAsking && error.status) fill(this.main, h("h1", null, "Callboard"), h("div", { class: "problem" }, problem(error)));
      }
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#watch(), this.#unreachableSince ? urge : rest);
  }

  /** A session has begun, or has other rights than before. */
  #begin(session) {
    // Where nobody may do anything without a token, it is asked for at once.
    if (session.principal === "anonymous" && !session.grants.length) return this.#ask("");
    this.#board?.close();
    this.#session = session;
    this.#board = new Callboard({ share: `console ${session.principal}` });
    const out = h("button", { type: "button", class: "quiet", onclick: () => this.#signOut() }, "Sign out");
    const into = h("button", { type: "button", class: "quiet", onclick: () => this.#ask("", true) }, "Sign in");
    fill(this.who, h("span", { title: "Who asks" }, session.asksForTokens ? session.principal : "no token needed"),
      session.isSignedIn ? out : session.asksForTokens && into);
    this.#show(false);
  }

  async #signOut() {
    try {
      await this.#api.delete("/v1/session");
    } catch (error) {
      if (error.status !== 401) return;
    }
    this.#session = undefined;
    this.#ask("You have signed out.");
  }

  /** Hears of each outcome: whether the server is there, and whether it still takes the token. */
  #heard(error) {
    const isAway = error && (error.status === 0 || error.status === 502 || error.status === 504);
    if (isAway && !this.#unreachableSince) {
      this.#unreachableSince = new Date();
      fill(this.line, h("strong", null, "The server cannot be reached"), ` since ${this.#unreachableSince.toLocaleTimeString("en-GB")}, `,
        when(this.#unreachableSince), ". What is shown is from before. Trying again…");
      this.line.hidden = false;
      this.#timer = setTimeout(() => this.#watch(), urge);
    } else if (!isAway && this.#unreachableSince) {
      this.#unreachableSince = undefined;
      this.line.hidden = true;
      fill(this.line);
    }
    if (error?.status === 401 && !this.#isAsking) this.#ask(reasonOf(error), this.#session && !this.#session.isSignedIn);
  }

  /** Asks for a token in the page's place; a guest, who may see something without one, keeps the navigation. */
  #ask(why, isGuest = false) {
    this.#isAsking = true;
    this.#leave();
    if (!isGuest) {
      this.#board?.close();
      this.#session = undefined;
      fill(this.who);
      document.body.classList.add("signed-out");
    }
    document.title = "Sign in · Callboard";
    askForToken(this.main, why, () => {
      this.#isAsking = false;
      this.#session = undefined;
      document.body.classList.remove("signed-out");
      this.#watch();
    });
  }

  #show(isMove) {
    if (!this.#session || this.#isAsking) return;
    const { page, address } = this.#find();
    this.#leave();
    for (const anchor of this.nav.querySelectorAll("a")) {
      const isCurrent = anchor.dataset.page === (page?.parent ?? page?.id);
      if (isCurrent) anchor.setAttribute("aria-current", "page");
      else anchor.removeAttribute("aria-current");
      if (isCurrent) anchor.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    const heading = h("h1", { tabindex: "-1" }), error = h("div", { class: "problem", role: "alert", hidden: true });
    const content = h("div", { class: ["page", `page-${page?.id ?? "none"}`] });
    fill(this.main, heading, error, content);
    const title = value => {
      text(heading, value);
      document.title = `${value} · Callboard`;
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
    const control = new AbortController(), ends = [];
    const fail = problemOf => {
      error.hidden = !problemOf;
      fill(error, problemOf ? problem(problemOf) : null);
    };
    const context = {
      main: content, address, title, fail, board: this.#board, api: this.#api, session: this.#session, signal: control.signal,
      go: target => this.#go(target),
      replace: target => history.replaceState(null, "", `#${target}`),
      live: (fn, milliseconds) => live(fn, milliseconds, control.signal, fail),
      shortcut: (keys, says, fn) => void ends.push(this.#keys.bind(keys, says, fn)),
    };
    this.#leave = () => {
      this.#leave = () => {};
      control.abort();
      for (const end of ends) end();
    };
    Promise.resolve().then(() => page.show(context)).then(end => {
      if (!end) return;
      if (control.signal.aborted) end();
      else ends.push(end);
    }).catch(problemOf => {
      if (!control.signal.aborted) fail(problemOf);
    });
  }

  #find() {
    const address = addressOf(location.hash);
    for (const page of this.#pages) {
      const params = match(page.pattern, address.segments);
      if (params) return { page, address: { ...address, params } };
    }
    return { address };
  }
}

/** Calls `fn` again and again while the page is shown and visible. */
function live(fn, milliseconds, signal, fail) {
  let timer, isRunning = false, isWanted = false, hasFailed = false;
  const run = async () => {
    clearTimeout(timer);
    if (signal.aborted || document.hidden) return;
    // What has changed since the call under way began is not in it.
    if (isRunning) return void (isWanted = true);
    isRunning = true;
    isWanted = false;
    try {
      await fn();
      if (hasFailed) fail();
      hasFailed = false;
    } catch (error) {
      // That the server is away, or wants a token, is the shell's to say.
      if (!signal.aborted && ![0, 401, 502, 504].includes(error.status)) fail(error), hasFailed = true;
    }
    isRunning = false;
    if (!signal.aborted) timer = setTimeout(run, isWanted ? 0 : milliseconds);
  };
  document.addEventListener("visibilitychange", run, { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
  run();
  return run;
}

/** What a fragment says: `#/lists/a?q=b`. */
function addressOf(fragment) {
  const [path, query = ""] = (fragment.slice(1) || "/").split(/\?(.*)/s);
  const segments = path.split("/").filter(Boolean).map(segment => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
  return { path, segments, params: {}, query: new URLSearchParams(query) };
}

const patternOf = path => path.split("/").filter(Boolean);

function match(pattern, segments) {
  if (pattern.length !== segments.length) return undefined;
  const params = {};
  const fits = pattern.every((part, n) => part.startsWith(":") ? (params[part.slice(1)] = segments[n], true) : part === segments[n]);
  return fits ? params : undefined;
}

/** Why the server asks for a token, in words. */
function reasonOf({ challenge = "" }) {
  const said = /error_description="([^"]*)"/.exec(challenge)?.[1];
  return said ? `The session has ended: ${said}.` : "This needs a token.";
}
