import { Callboard } from "/client.js";
import { Api } from "./api.js";
import { Session } from "./session.js";

/** How often it is asked who asks, in milliseconds: while all is well, and while the server cannot be reached. */
const rest = 5000, urge = 1000;

/**
 * Knows who asks: when a session begins and ends, when its rights change, and whether the server is there.
 *
 * `shell` is told: `ask(why, isGuest)` has it ask for a token and keep the page meanwhile; `goOn()` lets the page go on where
 * it was; `begin(before)` has it show the page anew, since a session with other rights has begun; `away(since)` says that the
 * server cannot be reached, and without a date that it can again; `signedOut()` that the user has ended the session;
 * `welcomeGuest()`, while a token is asked for, that something may be seen without; `failed(error)` that nothing can be shown.
 */
export class SessionWatch {
  /** Who asks; undefined before the server has said so and after signing out. */
  session;
  /** The client that carries the streams of the session. */
  board;
  /** Whether a token is asked for: nothing else is sent meanwhile. */
  isAsking = false;
  api = new Api(error => this.#heard(error));

  #shell;
  /** Ends what the board has begun. */
  #end = new AbortController();
  /** What goes on once a token is there. */
  #waiting = new Set();
  /** The question who asks that is under way. */
  #look;
  #awaySince;
  #timer;
  /** Other windows of the console, which have the same cookie. */
  #others = "BroadcastChannel" in globalThis ? new BroadcastChannel("callboard console session") : undefined;

  constructor(shell) {
    this.#shell = shell;
    this.#others?.addEventListener("message", () => this.#lookAnew());
    document.addEventListener("visibilitychange", () => document.hidden || this.check());
  }

  /** Asks who it is, now and again and again; resolves once the shell has been told. */
  check() {
    return this.#look ??= this.#ask({});
  }

  /** A token was given: the page goes on, here and in other windows. */
  signedIn() {
    this.#others?.postMessage("in");
    return this.#lookAnew();
  }

  /** Goes on without a token, where something may be seen without one. */
  goOnAsGuest() {
    return this.#lookAnew(true);
  }

  /** Has the browser forget the token. */
  async signOut() {
    try {
      await this.api.delete("/v1/session");
    } catch (error) {
      if (error.status !== 401) return;
    }
    this.#closeBoard();
    this.session = undefined;
    this.#shell.signedOut();
    this.#others?.postMessage("out");
    this.ask("You have signed out.");
  }

  /** Has a token asked for; a guest, who may see something without one, may go on without. */
  ask(why, isGuest = false) {
    if (this.isAsking) return;
    this.isAsking = true;
    this.#shell.ask(why, isGuest);
  }

  /** What is under way does not count any more. */
  #lookAnew(isGuestWelcome = false) {
    return this.#look = this.#ask({ isForced: true, isGuestWelcome });
  }

  async #ask({ isForced, isGuestWelcome }) {
    clearTimeout(this.#timer);
    // `#look` is set once this function has returned for the first time.
    await null;
    const look = this.#look, isHidden = document.hidden && !isForced;
    if (!isHidden && (!this.isAsking || isForced || this.#awaySince)) {
      try {
        const { body } = await this.api.get("/v1/session");
        if (look === this.#look) this.#take(new Session(body, this.session), isGuestWelcome);
      } catch (error) {
        // What it means is told by #heard; a page that was never shown has to say it by itself.
        if (!this.session && !this.isAsking && error.status) this.#shell.failed(error);
      }
    }
    if (look !== this.#look) return;
    this.#look = undefined;
    clearTimeout(this.#timer);
    if (!isHidden) this.#timer = setTimeout(() => this.check(), this.#awaySince ? urge : rest);
  }

  #take(session, isGuestWelcome) {
    const before = this.session, isGuest = session.principal === "anonymous";
    if (isGuest && this.isAsking && !isGuestWelcome) return;
    // Where nobody may do anything without a token, it is asked for at once.
    if (isGuest && !session.grants.length) return this.ask(before?.isSignedIn ? "The session has ended." : "");
    if (isGuest && before?.isSignedIn && !isGuestWelcome) return this.ask("The session has ended.", true);
    this.isAsking = false;
    if (before?.mayTheSameAs(session)) {
      before.goOnAs(session);
      this.#shell.goOn();
    } else {
      this.#closeBoard();
      this.session = session;
      this.#openBoard();
      this.#shell.begin(before);
    }
    for (const goOn of this.#waiting) goOn();
  }

  #openBoard() {
    const { signal } = this.#end = new AbortController(), { principal, grants } = this.session;
    this.board = new Callboard({
      share: `console ${principal} ${JSON.stringify(grants)}`, fetch: (input, init) => this.#fetch(input, init, signal),
      // The browser adds the cookie. A function says that there may be another token when one has ended.
      token: () => "",
    });
  }

  #closeBoard() {
    this.#end.abort();
    this.board?.close();
  }

  /** Sends what the client asks for; where that needs a token, as soon as there is one. */
  async #fetch(input, init, end) {
    const isOver = () => end.aborted || init.signal?.aborted;
    for (;;) {
      while (this.isAsking && !isOver()) await this.#answered(end, init.signal);
      end.throwIfAborted();
      const answer = await fetch(input, init);
      // Rights may have changed, and what may not be read counts as not there.
      if (answer.status === 403 || answer.status === 404) this.check();
      if (answer.status !== 401) return answer;
      this.#refused(answer.headers.get("WWW-Authenticate"));
    }
  }

  #answered(...signals) {
    return new Promise(resolve => {
      const goOn = () => {
        this.#waiting.delete(goOn);
        for (const signal of signals) signal?.removeEventListener("abort", goOn);
        resolve();
      };
      this.#waiting.add(goOn);
      for (const signal of signals) signal?.addEventListener("abort", goOn);
    });
  }

  #refused(challenge) {
    const { session } = this;
    const said = /error_description="([^"]*)"/.exec(challenge ?? "")?.[1];
    const why = said ? `The session has ended: ${said}.` : session?.isSignedIn ? "The session has ended." : "This needs a token.";
    if (this.isAsking) return;
    this.ask(why, session && !session.isSignedIn);
    if (session?.isSignedIn) this.#lookForGuests();
  }

  /** The cookie is gone by now: what may be done without one is told. */
  async #lookForGuests() {
    const { principal, grants } = (await this.api.get("/v1/session").catch(() => ({ body: {} }))).body;
    if (this.isAsking && principal === "anonymous" && grants.length) this.#shell.welcomeGuest();
  }

  /** Hears of each outcome: whether the server is there, and whether it still takes the token. */
  #heard(error) {
    const isAway = !!error && [0, 502, 504].includes(error.status);
    if (isAway !== !!this.#awaySince) {
      this.#awaySince = isAway ? new Date() : undefined;
      this.#shell.away(this.#awaySince);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.check(), urge);
    }
    if (error?.status === 401) this.#refused(error.challenge);
    if (error?.status === 403) this.check();
  }
}
