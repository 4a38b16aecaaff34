import { CallboardError } from "/client.js";
import { busy, field, problemLine } from "./action.js";
import { fill, h } from "./dom.js";

/**
 * Asks for a token and puts it into the session's cookie, which no script can read; the token itself is kept nowhere.
 * @param {HTMLElement} main Where the form is shown.
 * @param {string} why Why it is asked for, where that is known.
 * @param {() => void} done
 * @param {() => void} without Goes on without a token.
 * @returns {() => void} Offers to go on without a token.
 */
export function askForToken(main, why, done, without) {
  const outcome = problemLine();
  const input = h("input", { type: "password", autocomplete: "off", required: true, spellcheck: "false" });
  const button = h("button", { type: "submit", class: "primary" }, "Sign in");
  const guest = h("button", { type: "button", hidden: true, onclick: without }, "Go on without a token");
  const form = h("form", { "aria-label": "Sign in", class: "sign-in", onsubmit: event => {
    event.preventDefault();
    outcome.clear();
    busy(button, outcome, async () => {
      await begin(input.value.trim());
      input.value = "";
      await done();
    });
  } }, field("Token", input, "It goes into a cookie that no script can read, and is kept nowhere else."),
  h("div", { class: "actions" }, button, guest), outcome.node);
  fill(main, h("h1", { tabindex: "-1" }, "Sign in"), why && h("p", { class: "why", role: "alert" }, why), form,
    h("p", { class: "note" }, "The first start of the server leaves a token with every right in its data folder: ",
      h("code", null, "callboard-data/first-token"), ". Others are made with ", h("code", null, "callboard token create"), "."));
  input.focus();
  return () => void (guest.hidden = false);
}

/** Exchanges the token for the cookie, and looks whether the browser has kept it. */
async function begin(token) {
  if (/[^\x21-\x7e]/.test(token)) throw new Error("A token has letters, digits and signs only.");
  const send = (method, headers) => fetch("/v1/session", { method, headers, credentials: "same-origin", cache: "no-store" })
    .catch(error => {
      throw CallboardError.unreachable(error);
    });
  const answer = await send("POST", { Authorization: `Bearer ${token}` });
  if (!answer.ok) throw await CallboardError.of(answer);
  const after = await send("GET", {});
  if (!after.ok) throw await CallboardError.of(after);
  if ((await after.json()).principal === "anonymous") {
    throw new Error("The browser has not kept the cookie. It does over TLS, and on http://localhost.");
  }
}

