/** JSON whose numbers keep the digits that they came with, as the server keeps them. */
import { parseJSON as parse, stringifyJSON as write } from "/client.js";

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
export function line(value, most = 400) {
  const written = typeof value === "string" ? value : write(value) ?? "";
  return written.length > most ? `${written.slice(0, most)}…` : written;
}
