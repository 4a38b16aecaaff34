/**
 * What of an element's value a row shows: by the preview of its adapter, else by a guess.
 *
 * A preview has templates over the value, `{name}` or `{/a/b}` in braces. A part of which something is not there is left out.
 */
import { titles } from "../client/titles.js";
import { line } from "./json.js";

/** The previews of the shown list, by model. */
let previews = new Map();
let known = "";

/** Takes the previews of a list's adapters; returns whether they are others than before. */
export function usePreviews(adapters) {
  const pairs = adapters.filter(({ preview }) => preview).map(({ model, preview }) => [model, preview]);
  const now = JSON.stringify(pairs), isOther = now !== known;
  known = now;
  previews = new Map(pairs);
  return isOther;
}

/** The parts of a row: `{title, subtitle, image, badge, trailing}`, each a text that may be empty. */
export function partsOf(element) {
  const guessed = guess(element), preview = previews.get(element.model);
  if (!preview) return guessed;
  const part = name => preview[name] ? filled(preview[name], element.value) : "";
  return { title: part("title") || guessed.title, subtitle: part("subtitle"), image: part("image"), badge: part("badge"), trailing: part("trailing") };
}

/** A row in one line. */
export function lineOf(element, most) {
  const { title, subtitle, image, badge, trailing } = partsOf(element);
  return line([image, title, badge, subtitle, trailing].filter(Boolean).join(" · "), most);
}

/** A template with the value's members in it; empty where one is not there or is no text, number or truth value. */
export function filled(template, value) {
  let isWhole = true;
  const text = template.replace(/\{([^{}]+)\}/g, (_, name) => {
    const found = name[0] === "/" ? at(value, name) : own(value, name);
    isWhole &&= isScalar(found);
    return `${found}`;
  });
  return isWhole ? text : "";
}

const isScalar = value => ["string", "number", "boolean"].includes(typeof value) || value instanceof Number;
const own = (value, name) => value && typeof value === "object" && Object.hasOwn(value, name) ? value[name] : undefined;

/** What a JSON pointer leads to (RFC 6901). */
function at(value, pointer) {
  return pointer.slice(1).split("/").reduce((found, token) => own(found, token.replaceAll("~1", "/").replaceAll("~0", "~")), value);
}

function guess({ id, value, row, cell, config }) {
  const shown = config ? Object.entries(config).map(([name, each]) => `${name}: ${line(each, 60)}`) : [];
  const made = (title, rest) => ({ title, subtitle: rest.join(" · "), image: "", badge: "", trailing: "" });
  if (value === null || value === undefined) return made(cell ?? row ?? id, shown);
  if (typeof value !== "object" || value instanceof Number || Array.isArray(value)) return made(line(value), shown);
  const member = titles.find(name => isScalar(value[name]) && typeof value[name] !== "boolean" && `${value[name]}` !== "")
    ?? Object.keys(value).find(name => typeof value[name] === "string");
  if (member === undefined) return made(line(value), shown);
  // A text says by itself what it is, mostly; the identifier is no news.
  const rest = Object.entries(value).filter(([name, each]) => name !== member && `${each}` !== id)
    .map(([name, each]) => typeof each === "string" && each ? line(each, 80) : `${name} ${line(each, 80)}`);
  return made(`${value[member]}`, [...rest, ...shown]);
}
