/** JSON whose numbers keep the digits that they came with, as the server keeps them. */

/** Reads JSON; a number that a double would change becomes an object that is written as it came. */
export function parse(source) {
  return JSON.parse(source, (_, value, context) =>
    typeof value === "number" && context?.source && JSON.rawJSON && String(value) !== context.source
      ? JSON.rawJSON(context.source) : value);
}

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
  const written = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  return written.length > most ? `${written.slice(0, most)}…` : written;
}
