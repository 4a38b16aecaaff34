import { field, form, show } from "./action.js";
import { h, unique } from "./dom.js";
import { typed, write } from "./json.js";

/**
 * A dialog with JSON to edit, and fields above it.
 *
 *     jsonDialog(context, { title: "Add", label: "Value", value: {}, fields, request: value => ({…}), done })
 *
 * It is closed once the request has succeeded. What is typed is kept when it is closed otherwise, but for its button.
 */
export function jsonDialog(context, { title, label, value, fields = [], request, done, submit = "Save", note }) {
  const editor = h("textarea", { rows: 10, spellcheck: "false" });
  editor.value = write(value, 2);
  const heading = h("h2", { id: unique("dialog") }, title);
  const cancel = h("button", { type: "button", onclick: () => (content.discard(), dialog.close()) }, "Cancel");
  const area = field(label, editor, note);
  area.classList.add("wide");
  const content = form(context, { title, fields: [fields, area], submit, more: [cancel],
    request: () => request(typed(editor.value)), done: answer => (dialog.close(), done(answer)) });
  const dialog = h("dialog", { "aria-labelledby": heading.id }, heading, content);
  show(dialog);
  (fields[0]?.querySelector("input, select") ?? editor).focus();
}
