/**
 * Notes of what was done, at the edge of the window. They stay a while, and as long as the pointer or the focus is in them.
 *
 *     toast({ says: ["Ada", " was deleted."], undo: async () => … })
 *
 * `undo` takes it back; what it throws is shown in the note, which then stays until it is closed.
 */
import { fill, h, unique } from "./dom.js";
import { busy, problem } from "./problems.js";

/** How long a note stays, and how long after the pointer or the focus has left it at least, in milliseconds. */
const stay = 8000, rest = 3000;
/** How often it is looked whether a note is over, and how many there are at most. */
const step = 250, most = 3;

let region, focusBefore;

/** The place of the notes, which the frame puts into the page. */
export function toastRegion() {
  region = h("section", { class: "toasts", "aria-label": "What was done", tabindex: "-1", onfocusin: ({ relatedTarget }) => {
    if (relatedTarget && !region.contains(relatedTarget)) focusBefore = relatedTarget;
  }, onkeydown: event => {
    if (event.key === "Escape") [...region.children].find(each => each.contains(event.target))?.close();
  } });
  return region;
}

/** Takes away every note, since what they say is not for who comes next. */
export function clearToasts() {
  for (const node of [...region.children]) node.close();
}

/** Takes back what the newest note offers to; says whether there was one. */
export function undoNewest() {
  const button = [...region.querySelectorAll(".undo")].at(-1);
  button?.click();
  return !!button;
}

export function toast({ says, undo }) {
  const line = h("p", { role: "status", id: unique("toast") }), failed = h("div", { class: "problem", role: "alert", hidden: true });
  const again = undo && h("button", { type: "button", class: "undo", "aria-describedby": line.id, onclick: takeBack }, "Undo");
  const closing = h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: close }, "×");
  const node = h("div", { class: "toast", role: "group", "aria-labelledby": line.id }, line, failed, again, closing);
  let left = stay, isKept = false;
  const timer = setInterval(() => {
    if (isKept || document.hidden) return;
    left = node.matches(":hover, :focus-within") ? Math.max(left, rest) : left - step;
    if (left <= 0) close();
  }, step);

  function close() {
    clearInterval(timer);
    if (node.contains(document.activeElement)) leave();
    node.remove();
  }

  async function takeBack() {
    isKept = true;
    const outcome = { show: error => {
      fill(failed, problem(error));
      failed.hidden = false;
      line.hidden = true;
      if (again.matches(":focus")) closing.focus();
      again.remove();
    } };
    await busy(again, outcome, async () => {
      await undo();
      isKept = false;
      left = rest;
      if (again.matches(":focus")) leave();
      again.remove();
      fill(line, "Undone: ", says);
    });
  }

  region.append(Object.assign(node, { close }));
  while (region.children.length > most) region.firstChild.close();
  // What a live region has from the beginning is not read out.
  setTimeout(() => line.firstChild || fill(line, says), 50);
}

/** Puts the focus where it was before it came here. */
function leave() {
  (focusBefore?.isConnected ? focusBefore : document.getElementById("main")).focus();
}
