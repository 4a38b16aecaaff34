/** How many grants of earlier sessions are remembered. */
const most = 100;

/** Who asks, and what they may do: what `GET /v1/session` says. */
export class Session {
  /** What was granted before, in the same window. */
  #had;

  /**
   * @param {{principal: string, grants: {actions: string[], directors?: string[]}[], expiresAt: string | null}} said
   * @param {Session} [before] The session before it in the same window.
   */
  constructor({ principal, grants, expiresAt }, before) {
    Object.assign(this, { principal, grants, expiresAt });
    const had = before ? [...before.#had, ...before.grants] : [];
    this.#had = [...new Map(had.map(grant => [JSON.stringify(grant), grant])).values()].slice(-most);
  }

  /** Whether the server asks for tokens, as far as its word on who asks tells. */
  get asksForTokens() {
    return this.principal !== "everybody";
  }

  /** Whether a token is there that can be signed out. */
  get isSignedIn() {
    return this.principal !== "everybody" && this.principal !== "anonymous";
  }

  /** Whether a right is granted: for that director, or without one for any. */
  may(right, director) {
    return allow(this.grants, right, director);
  }

  /** Whether a right is missing that was granted before, while the console was open. */
  hasLost(right, director) {
    return !this.may(right, director) && allow(this.#had, right, director);
  }

  /** Whether another session may do the same. */
  mayTheSameAs(other) {
    return JSON.stringify(this.grants) === JSON.stringify(other.grants);
  }

  /** Becomes a session that may do the same: who asks, and until when. */
  goOnAs({ principal, expiresAt }) {
    Object.assign(this, { principal, expiresAt });
  }
}

function allow(grants, right, director) {
  const covers = name => director === undefined || name === director
    || name.endsWith("*") && director.startsWith(name.slice(0, -1));
  return grants.some(({ actions, directors }) => actions.includes(right) && (right === "operate" || directors?.some(covers)));
}
