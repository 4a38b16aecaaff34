/** What went wrong, in words and where it happened. */
import { announce, fill, h } from "./dom.js";

/** Runs something while its button is busy, and shows what goes wrong. */
export async function busy(button, outcome, work) {
  if (button.getAttribute("aria-busy")) return;
  button.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch (error) {
    outcome.show(error);
  } finally {
    button.removeAttribute("aria-busy");
  }
}

/** Where an error is shown: `show(error, more)` and `clear()`. */
export function problemLine() {
  const node = h("div", { class: "problem", hidden: true });
  return {
    node,
    show(error, ...more) {
      fill(node, problem(error), ...more);
      node.hidden = false;
      announce(node.textContent, true);
    },
    clear() {
      node.hidden = true;
      fill(node);
    },
  };
}

/** An error in words: title, detail, and which parts of the body it is about. */
export function problem(error) {
  const isUnreachable = error.type === "urn:callboard:client:unreachable";
  // Where a request of the page is refused so, the shell asks for a token.
  if (error.status === 401 && error.challenge !== undefined) return [h("strong", null, "The session had ended"), ". Nothing was done; try it again."];
  const title = isUnreachable ? "The server cannot be reached" : error.title ?? (error.status ? `Status ${error.status}` : null);
  const parts = (error.errors ?? []).filter(({ detail }) => detail !== error.detail);
  return [
    title && h("strong", null, title), title && ". ", h("span", null, isUnreachable ? "" : error.detail ?? error.message),
    parts.length > 0 && h("ul", null, parts.slice(0, 10).map(({ pointer, detail }) =>
      h("li", null, h("code", null, pointer || "(whole body)"), " ", detail))),
  ];
}
