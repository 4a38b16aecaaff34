import { field, form, show } from "./action.js";
import { h, unique } from "./dom.js";
import { typed, write } from "./json.js";
import { ValueFields } from "./value-fields.js";

/**
 * A dialog with JSON to edit, and fields above it.
 *
 *     jsonDialog(context, { title: "Add", label: "Value", value: {}, fields, request: value => ({…}), done })
 *
 * `below` stands below the editor, and `typing` is called with its text at first and whenever it changes. With `examples()`, which
 * gives values like it, its members have fields beside the JSON.
 * It is closed once the request has succeeded. What is typed is kept when it is closed otherwise, but for its button.
 */
export function jsonDialog(context, { title, label, value, fields = [], request, done, submit = "Save", note, below, typing, before, undo, examples }) {
  const editor = h("textarea", { rows: 10, spellcheck: "false", oninput: () => typing?.(editor.value) });
  editor.value = write(value, 2);
  const heading = h("h2", { id: unique("dialog") }, title);
  const cancel = h("button", { type: "button", onclick: () => (content.discard(), dialog.close()) }, "Cancel");
  const area = field(label, editor, note);
  area.classList.add("wide");
  const members = examples && new ValueFields(editor, examples, area), told = () => (members?.draw(), typing?.(editor.value));
  if (below) area.append(below);
  const content = form(context, { title, fields: [fields, members?.node ?? area], submit, more: [cancel], before, undo,
    request: () => (members?.check(), request(typed(editor.value))), done: answer => (dialog.close(), done(answer)) });
  content.addEventListener("put-back", told);
  const dialog = h("dialog", { class: members && "wide", "aria-labelledby": heading.id }, heading, content);
  show(dialog);
  // What was typed before may have been put back.
  told();
  (members ?? fields[0]?.querySelector("input, select") ?? editor).focus();
}
