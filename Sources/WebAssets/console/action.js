/**
 * Actions: what changes something, or asks for something.
 *
 *     action(context, { label: "Reload", request: () => ({ method: "POST", path: "/v1/…/reload" }), done: answer => … })
 *     action(context, { label: "Delete", danger: "The list and its 5 elements are deleted.", request, done })
 *     form(context, { fields: [name, kind], submit: "Create", request: () => …, done })
 *
 * Each shows the `curl` that does the same. `danger` is a text, or a function that gives one: it is shown in a dialog
 * that asks a second time. `done(answer)` is called after success; `said` is what is then announced. An error is shown
 * where it happened, with the problem's title and detail.
 *
 * What can be taken back has `undo(answer, known)`, which gives what `toast` shows in place of the announcement, or nothing;
 * `before()` reads what it needs to know for that, before the request is sent.
 */
import { announce, copyButton, h, text, unique } from "./dom.js";
import { curl } from "./api.js";
import { FormDraft } from "./drafts.js";
import { busy, problemLine } from "./problems.js";
import { toast } from "./toasts.js";

export { busy, problem, problemLine } from "./problems.js";

/** A button that sends a request, beside it one that shows the `curl`, and below them what went wrong. */
export function action(context, { label, request, danger, done, said, isPrimary, isDisabled, name = label, before, undo }) {
  const outcome = problemLine();
  const button = h("button", { type: "button", disabled: isDisabled, class: [isPrimary && "primary", danger && "danger"],
    "aria-label": name === label ? null : name, onclick: run }, label);
  async function run() {
    const wanted = made(request, outcome);
    if (!wanted) return;
    if (danger && !await confirm({ title: name, says: call(danger), label, command: command(context, wanted) })) return;
    await send(context, { button, outcome, wanted, said: said ?? `${name}: done`, done, before, undo });
  }
  const node = h("span", { class: "action" }, button, curlButton(context, request, name), outcome.node);
  return Object.assign(node, { button, run });
}

/**
 * A form that sends a request, with the `curl` below it as it would be now. What is typed is kept until it is sent, also when
 * the page is left; `isPutBack` says whether something was, and `discard()` throws it away.
 */
export function form(context, { fields, submit, request, done, said, more = [], title, before, undo }) {
  const outcome = problemLine(), shown = curlLine(context), { path, query } = context.address;
  const button = h("button", { type: "submit", class: "primary" }, submit);
  const again = h("p", { class: "note put-back" }, "This is what you typed before. ",
    h("button", { type: "button", class: "quiet", onclick: () => (discard(), show()) }, "Begin anew"));
  const node = h("form", { "aria-label": title ?? submit, oninput: show, onchange: show, onsubmit: event => {
    event.preventDefault();
    const wanted = made(request, outcome);
    if (wanted) send(context, { button, outcome, wanted, said: said ?? `${submit}: done`, before, undo, done: async answer => {
      await done?.(answer);
      draft.settle();
      again.hidden = true;
      show();
    } });
  } }, again, h("div", { class: "fields" }, fields), h("div", { class: "actions" }, more, button), outcome.node, shown.node);
  const draft = new FormDraft(node, ["form", path, query.get("path") ?? "", title ?? submit]);
  again.hidden = !draft.isPutBack;
  function discard() {
    draft.discard();
    again.hidden = true;
  }
  function show() {
    try {
      shown.update(request());
    } catch {
      shown.update(undefined);
    }
  }
  show();
  return Object.assign(node, { refresh: show, outcome, discard, isPutBack: draft.isPutBack });
}

/** A field with its label: `field("Name", h("input"), "A note")`. */
export function field(label, control, note) {
  control.id ||= unique("field");
  const hint = note && h("small", { id: unique("note") }, note);
  if (hint) control.setAttribute("aria-describedby", hint.id);
  const isCheck = control.type === "checkbox";
  const title = h("label", { for: control.id }, label);
  return h("div", { class: ["field", isCheck && "check"] }, isCheck ? [control, title] : [title, control], hint);
}

/** A `<select>`: `select(["table", "flow"])`, or pairs of value and text. */
export function select(choices, value) {
  const control = h("select", null, choices.map(choice => {
    const [each, title] = [choice].flat();
    return h("option", { value: each }, title ?? each);
  }));
  if (value !== undefined) control.value = value;
  return control;
}

/** The `curl` of a request as text. */
export function command(context, request) {
  return curl(request, context.session.asksForTokens);
}

/** A button that opens a popover with the `curl` of `request()`. */
export function curlButton(context, request, name) {
  const code = h("code"), id = unique("curl");
  const popover = h("div", { id, popover: "auto", class: "curl", role: "dialog", "aria-label": `curl: ${name}` },
    h("pre", { tabindex: "0" }, code), copyButton(() => code.textContent));
  const button = h("button", { type: "button", class: "quiet command", popovertarget: id, title: "Show the curl that does this",
    "aria-label": `curl: ${name}` }, "curl");
  popover.addEventListener("beforetoggle", event => {
    if (event.newState !== "open") return;
    try {
      text(code, command(context, request()));
    } catch (error) {
      text(code, `# ${error.message}`);
    }
  });
  const put = () => place(popover, button);
  popover.addEventListener("toggle", event => {
    if (event.newState === "open") addEventListener("resize", put), put();
    else removeEventListener("resize", put);
  });
  return [button, popover];
}

/** Puts a popover below its button, within the window. */
function place(popover, button) {
  const at = button.getBoundingClientRect(), size = popover.getBoundingClientRect();
  const isAbove = at.bottom + size.height + 8 > innerHeight && at.top > size.height + 8;
  popover.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
  popover.style.top = `${isAbove ? at.top - size.height - 4 : at.bottom + 4}px`;
}

/** A line with a `curl` that `update(request)` changes. */
export function curlLine(context) {
  const code = h("code");
  const node = h("details", { class: "curl-line" }, h("summary", null, "curl"),
    h("div", null, h("pre", { tabindex: "0" }, code), copyButton(() => code.textContent)));
  return {
    node,
    update(request) {
      node.hidden = !request;
      if (request) text(code, command(context, request));
    },
  };
}

/** The request as it is now; nothing where it cannot be made, and what is wrong is shown. */
function made(request, outcome) {
  outcome.clear();
  try {
    return request();
  } catch (error) {
    outcome.show(error);
  }
}

/** Sends a request while its button is busy, and says that it is done. */
function send(context, { button, outcome, wanted, said, done, before, undo }) {
  return busy(button, outcome, async () => {
    const known = await before?.(), answer = await context.api.send(wanted), shown = undo?.(answer, known);
    if (shown) toast(shown);
    else announce(said);
    await done?.(answer);
  });
}

/** Asks a second time; resolves with whether it is wanted. */
export function confirm({ title, says, label, command }) {
  return new Promise(resolve => {
    const heading = h("h2", { id: unique("dialog") }, title);
    const yes = h("button", { type: "button", class: "danger primary", onclick: () => dialog.close("yes") }, label);
    const no = h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Cancel");
    const dialog = h("dialog", { "aria-labelledby": heading.id }, heading, h("p", null, says),
      command && h("pre", { class: "curl", tabindex: "0" }, h("code", null, command)), h("div", { class: "actions" }, no, yes));
    show(dialog, () => resolve(dialog.returnValue === "yes"));
  });
}

/**
 * Opens a modal dialog that is taken out when it is closed; the focus goes back to where it was, unless it is somewhere
 * else by the time of the event, which comes later than the dialog closes.
 */
export function show(dialog, closed) {
  const before = document.activeElement;
  dialog.addEventListener("close", () => {
    const isFree = document.activeElement === document.body || dialog.contains(document.activeElement);
    dialog.remove();
    if (isFree && before?.isConnected) before.focus();
    closed?.();
  });
  dialog.addEventListener("click", event => {
    if (event.target === dialog && !isInside(dialog, event)) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}

function isInside(node, { clientX: x, clientY: y }) {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return x >= left && x <= right && y >= top && y <= bottom;
}

const call = value => typeof value === "function" ? value() : value;
