/** What of an element's value the rows of the shown list have: by the previews of its adapters, else by a guess. */
import { partsOf as partsBy } from "../client/previews.js";
import { line, write } from "./json.js";

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
export const partsOf = element => partsBy(element, previews.get(element.model), write);

/** A row in one line. */
export function lineOf(element, most) {
  const { title, subtitle, image, badge, trailing } = partsOf(element);
  return line([image, title, badge, subtitle, trailing].filter(Boolean).join(" · "), most);
}
