/** JSON whose numbers keep the digits that they came with, as the server keeps them. */
import { parseJSON as parse, stringifyJSON as write } from "/client.js";
import { line as lineBy } from "../client/previews.js";

export { parse, write };

/** Reads JSON that somebody has typed. */
export function typed(source) {
  try {
    return parse(source);
  } catch (error) {
    throw new Error(`This is not JSON: ${error.message}`);
  }
}

/** One line of JSON that shows a value: a text as it is, members in their order. */
export const line = (value, most = 400) => lineBy(value, write, most);
