import { firstIndex } from "./sparse.js";

/**
 * @template Item
 * @typedef {{item: Item, node: globalThis.Element}} Entry What is shown of an item.
 */

/**
 * @template Item
 * @template {Entry<Item>} [E=Entry<Item>]
 * @typedef {object} Match
 * @property {(E | undefined)[]} entries For each item its entry; undefined where it is new.
 * @property {number[]} sources Where each entry was; -1 where the item is new.
 * @property {number} start Before this index nothing has changed.
 * @property {number} end From this index on nothing has changed.
 * @property {E[]} leaving The entries whose items are gone.
 */

/**
 * Finds the entry of each item: what is the same object at either end of the list, and by its key in between.
 * @template Item
 * @template {Entry<Item>} E
 * @param {E[]} before
 * @param {Item[]} items
 * @param {(item: Item) => string} keyOf Equal keys are paired in their order.
 * @returns {Match<Item, E>}
 */
export function match(before, items, keyOf) {
  const shorter = Math.min(before.length, items.length);
  let start = 0, same = 0;
  while (start < shorter && before[start].item === items[start]) start++;
  while (same < shorter - start && before[before.length - 1 - same].item === items[items.length - 1 - same]) same++;
  const end = items.length - same, shift = before.length - items.length;

  // What has not been updated is the same object, and mostly next to what it stood next to; the rest is looked up.
  /** @type {Map<Item, number>} */
  const places = new Map();
  const sources = items.map((_, at) => at < start ? at : at >= end ? at + shift : -1);
  for (let from = start, at = start; from < end + shift;) {
    if (before[from].item === items[at]) sources[at++] = from++;
    else if (before[from].item === items[at + 1]) at++;
    else {
      if (before[from + 1]?.item !== items[at]) at++;
      places.set(before[from].item, from++);
    }
  }
  // Only for what is left keys are made.
  /** @type {Map<string, number[]>} */
  const keys = new Map();
  const fill = (/** @type {(item: Item) => number | undefined} */ find) => {
    for (let at = start; at < end; at++) if (sources[at] < 0) sources[at] = find(items[at]) ?? -1;
  };
  fill(item => {
    const place = places.get(item);
    places.delete(item);
    return place;
  });
  for (const [item, place] of places) keys.set(keyOf(item), [...keys.get(keyOf(item)) ?? [], place]);
  fill(item => keys.get(keyOf(item))?.shift());
  const leaving = [...keys.values()].flat().map(at => before[at]);
  return { entries: sources.map(at => before[at]), sources, start, end, leaving };
}

/**
 * Puts the nodes of entries into their order, moving as few as that takes.
 * @param {globalThis.Element} parent Has the nodes in the order of `sources`, and others anywhere.
 * @param {Entry<any>[]} entries
 * @param {number[]} sources
 * @param {number} [start]
 * @param {number} [end]
 */
export function arrange(parent, entries, sources, start = 0, end = entries.length) {
  const stays = longestRise(sources.slice(start, end));
  let next = entries[end]?.node ?? null;
  for (let at = end - 1; at >= start; at--) {
    const { node } = entries[at];
    if (!stays[at - start]) parent.insertBefore(node, next);
    next = node;
  }
}

/**
 * For each value whether it is in a longest rising subsequence of what is not negative.
 * @param {number[]} values
 */
function longestRise(values) {
  /**
   * The index at which the best rise of each length ends.
   * @type {number[]}
   */
  const ends = [];
  const before = values.map((value, at) => {
    if (value < 0) return -1;
    const { length } = ends;
    // Most follow what is before them.
    const isLast = !length || values[ends[length - 1]] < value;
    const low = isLast ? length : firstIndex(length, place => values[ends[place]] >= value);
    ends[low] = at;
    return low ? ends[low - 1] : -1;
  });
  const rise = new Uint8Array(values.length);
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]) rise[at] = 1;
  return rise;
}
