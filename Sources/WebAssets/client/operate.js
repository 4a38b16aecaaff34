import { require } from "./errors.js";

/** @typedef {import("./types.js").Section} Section */

/**
 * The sections after one operation on elements, as far as it can be told without the server: what is given an identifier
 * by the server has none yet.
 * @param {Section[]} sections
 * @param {import("./overlays.js").Operation} operation
 * @returns {Section[]}
 */
export function operate(sections, operation) {
  const { op, section, element, from, to, toSection, at, elements = [], value, patch } = operation;
  const result = sections.slice();
  const edit = (/** @type {string | number} */ address) => {
    const index = find(sections, address);
    if (result[index] === sections[index]) result[index] = { ...sections[index], elements: sections[index].elements.slice() };
    return result[index].elements;
  };
  const list = edit(section);
  if (op === "patchElement" || op === "setElement") {
    const index = find(list, element), before = list[index];
    list[index] = { ...before, ...value, value: op === "setElement" ? value.value : merge(before.value, patch) };
  } else if (op === "removeElement") list.splice(find(list, element), 1);
  else if (op === "moveElement") edit(toSection ?? section).splice(to, 0, ...list.splice(find(list, from), 1));
  else if (op === "addElements") list.splice(at === undefined ? list.length : find(list, at), 0, ...elements);
  else require(false, `${op} cannot be shown ahead`);
  return result;
}

/**
 * The position of what an address names: an identifier, `@0`, `@first`, `@last`, or a number.
 * @param {{id: string}[]} items
 * @param {string | number} address
 */
function find(items, address) {
  const name = typeof address === "number" ? `@${address}` : address;
  const named = { "@first": 0, "@last": items.length - 1 }[name] ?? (/^@\d+$/.test(name) ? +name.slice(1) : -1);
  const index = named >= 0 ? named : items.findIndex(item => item.id === name.replace(/^@@/, "@"));
  require(index >= 0, `nothing is called ${address}`);
  return index;
}

/**
 * A merge patch (RFC 7396).
 * @param {any} value
 * @param {any} patch
 * @returns {any}
 */
function merge(value, patch) {
  if (!patch || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const result = { ...(value && typeof value === "object" && !Array.isArray(value) ? value : {}) };
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) delete result[name];
    else Object.defineProperty(result, name, {
      value: merge(result[name], change), enumerable: true, writable: true, configurable: true });
  }
  return result;
}
