/** Reading a published element's value in the working state. */
import { tagOf } from "./api.js";
import { write } from "./json.js";
import { directorPath, elementPath, isConstantRow } from "./places.js";

/** JSON as it is edited. */
export const pretty = value => write(value ?? null, 2);

/** Reads an element by its selection: `{etag, body, text}`; throws `Gone` where the working state has it elsewhere or not. */
export async function readElement({ api, signal }, list, { element, section }) {
  const isListed = element.row === undefined;
  const path = isListed ? `${directorPath(list.name)}/elements` : elementPath(list.name, section.id, element);
  const { body, headers } = await api.get(path, { query: isListed ? { id: element.id } : {}, signal });
  // An element may have gone to another section, and one that has gone is no error here.
  const found = isListed ? body.elements.find(each => each.section === section.id) : body;
  if (!found) throw new Gone(body.elements[0]?.section);
  return { etag: tagOf(headers), body: found, text: pretty(found.value) };
}

/** What puts a value in place of what was read of an element. */
export function withValue(element, { section, indexPath, position, row, id, ...rest }, value) {
  return isConstantRow(element) ? { id, ...rest, value } : { model: rest.model, value };
}

/** Why a published element cannot be read: the working state does not have it in its section. */
export class Gone extends Error {
  static says = "It is not in the working state any more; the next reload takes it away.";

  /** @param {string} [section] Where it is instead. */
  constructor(section) {
    super(section === undefined ? "The element is gone meanwhile." : `The element is in section ${section} meanwhile.`);
    this.says = section === undefined ? Gone.says : `In the working state it is in section ${section}; the next reload moves it there.`;
  }
}
