/** Which members values have, of which kind they are, and what a field says. */
import { parse, typed } from "./json.js";

const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Values of other elements of a model, as far as they are loaded. */
export function examplesOf({ sections }, model) {
  const found = [];
  for (const { elements } of sections) {
    for (let n = 0; n < Math.min(elements.length, 20) && found.length < 20; n++) {
      const element = elements.at(n);
      if (element?.model === model) found.push(element.value);
    }
  }
  return found;
}

/** Whether a value has members. */
export const isObject = value => typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Number);

/** What edits a value; undefined of null, which tells nothing. */
export function kindOf(value) {
  if (value === null) return undefined;
  if (typeof value === "number" || value instanceof Number) return "number";
  return { string: "text", boolean: "boolean" }[typeof value] ?? "json";
}

/** What a control says; undefined where its member is to go. */
export function readControl(kind, control) {
  if (kind === "boolean") return control.checked;
  if (kind === "text") return control.value;
  const written = control.value.trim();
  if (!written) return undefined;
  if (kind === "number" && !isNumber.test(written)) throw new Error("This is not a number.");
  return kind === "number" ? parse(written) : typed(written);
}
