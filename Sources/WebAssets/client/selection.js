/**
 * @typedef {object} Selection The part of a list that is followed, and its order; the parameters of a view. The server filters
 *   and sorts, and keeps it up.
 * @property {any} [where] An expression of JSON Logic over `value`, `model`, `id`, `section` and `variables`: the elements of
 *   which it is true.
 * @property {{key: any, order?: "ascending" | "descending", collation?: "scalars" | "natural"}[]} [sortBy] The order, by
 *   expressions.
 * @property {number} [limit] How many elements at most.
 * @property {Record<string, string | number | boolean>} [parameters] Values of a view's parameters; not together with the others.
 */

/**
 * A selection as a query.
 * @param {Selection} selection
 */
export function selectionQuery({ where, sortBy, limit, parameters }) {
  const query = new URLSearchParams(
    Object.entries(parameters ?? {}).sort().map(([name, value]) => [`parameters.${name}`, `${value}`]));
  for (const [name, value] of Object.entries({ where, sortBy, limit })) {
    if (value !== undefined) query.set(name, JSON.stringify(value));
  }
  return query;
}
