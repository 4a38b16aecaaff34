import { fill, h } from "./dom.js";

/**
 * Shows both values of an element where somebody else was faster, and lets the user choose: `keep()` and `take()` are called
 * for one's own and for the server's.
 */
export function showConflict(node, { mine, theirs, keep, take }) {
  const side = (title, value, label, choose) => h("div", null, h("h3", null, title), h("pre", { tabindex: "0", "aria-label": title }, value),
    h("button", { type: "button", onclick: () => (fill(node), choose()) }, label));
  fill(node, h("div", { class: "conflict", role: "group", "aria-label": "Conflict" },
    h("p", { class: "warn" }, "Somebody else has changed this element since it was read. Nothing was saved."),
    h("div", { class: "sides" }, side("Yours", mine, "Save mine over it", keep), side("On the server now", theirs, "Take the server's", take))));
}
