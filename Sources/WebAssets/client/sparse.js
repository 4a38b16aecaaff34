/** @typedef {import("./types.js").Element} Element */

/** Stands where an element will be once its window is loaded, and moves with its neighbours until then. */
export class Awaited {
  /** Whether the server was asked for it. */
  isAsked = false;
}

/**
 * The elements of a section of which only some are loaded: a length, and what is known with its position.
 *
 * Holes need no memory, and a change costs what is loaded, not what there is.
 */
export class SparseElements {
  length;
  /**
   * The positions of what is loaded, ascending.
   * @type {number[]}
   */
  #indexes = [];
  /** @type {(Element | Awaited)[]} */
  #items = [];

  /** @param {number} length */
  constructor(length) {
    this.length = length;
  }

  /** @param {Element[]} elements */
  static of(elements) {
    const result = new SparseElements(elements.length);
    result.#indexes = elements.map((_, index) => index);
    result.#items = elements.slice();
    return result;
  }

  /** How many elements are loaded or awaited. */
  get loaded() {
    return this.#items.length;
  }

  /**
   * The element there, or undefined where it is not loaded.
   * @param {number} index
   * @returns {Element | undefined}
   */
  at(index) {
    const item = this.item(index);
    return item instanceof Awaited ? undefined : item;
  }

  /**
   * @internal What is there, be it an element, one that is awaited, or a hole.
   * @param {number} index
   */
  item(index) {
    const place = this.#place(index);
    return this.#indexes[place] === index ? this.#items[place] : undefined;
  }

  /** A copy. */
  slice() {
    const result = new SparseElements(this.length);
    result.#indexes = this.#indexes.slice();
    result.#items = this.#items.slice();
    return result;
  }

  /**
   * As an array's.
   * @param {number} index
   * @param {number} count 0 or 1.
   * @param {...(Element | Awaited | undefined)} arriving At most one; undefined is a hole.
   */
  splice(index, count, ...arriving) {
    const place = this.#place(index), shift = arriving.length - count;
    const leaves = count && this.#indexes[place] === index ? 1 : 0;
    const items = /** @type {(Element | Awaited)[]} */ (arriving.filter(item => item !== undefined));
    this.#indexes.splice(place, leaves, ...items.map(() => index));
    this.#items.splice(place, leaves, ...items);
    if (shift) for (let n = place + items.length; n < this.#indexes.length; n++) this.#indexes[n] += shift;
    this.length += shift;
  }

  /**
   * As an array's, for what is loaded.
   * @param {(element: Element, index: number) => Element} change
   */
  map(change) {
    const result = this.slice();
    result.#items = this.#items.map((item, n) => item instanceof Awaited ? item : change(item, this.#indexes[n]));
    return result;
  }

  /**
   * As an array's; what is not loaded is kept.
   * @param {(element: Element, index: number) => unknown} keeps
   */
  filter(keeps) {
    const result = this.slice();
    /** @type {number[]} */
    const gone = [];
    this.map((element, index) => (keeps(element, index) || gone.unshift(index), element));
    for (const index of gone) result.splice(index, 1);
    return result;
  }

  /**
   * Where rows are awaited that nobody has asked for: ranges of at most so many. They count as asked for then.
   * @param {number} size
   */
  ask(size) {
    /** @type {[number, number][]} */
    const ranges = [];
    this.#items.forEach((item, n) => {
      if (!(item instanceof Awaited) || item.isAsked) return;
      item.isAsked = true;
      const index = this.#indexes[n], range = ranges.at(-1);
      if (range && index < range[0] + size) range[1] = index + 1;
      else ranges.push([index, index + 1]);
    });
    return ranges;
  }

  /**
   * Puts elements where they were awaited; takes the rest of what was awaited back to holes.
   * @param {Map<object | false, Element | undefined>} found
   * @returns {boolean} Whether anything was.
   */
  fill(found) {
    const items = this.#items.map(item => found.has(item) ? found.get(item) : item);
    if (items.every((item, n) => item === this.#items[n])) return false;
    this.#indexes = this.#indexes.filter((_, n) => items[n]);
    this.#items = /** @type {(Element | Awaited)[]} */ (items.filter(item => item));
    return true;
  }

  /**
   * Forgets what is farthest from a position until at most so many are left.
   * @param {number} limit
   * @param {number} near
   */
  trim(limit, near) {
    let first = 0, end = this.#indexes.length;
    while (end - first > limit) {
      if (near - this.#indexes[first] > this.#indexes[end - 1] - near) first++;
      else end--;
    }
    this.#indexes = this.#indexes.slice(first, end);
    this.#items = this.#items.slice(first, end);
  }

  /**
   * The first place whose position is not before this one.
   * @param {number} index
   */
  #place(index) {
    return firstIndex(this.#indexes.length, place => this.#indexes[place] >= index);
  }
}

/**
 * The first index for which something holds that holds for all after it; `length` where it does for none.
 * @param {number} length
 * @param {(index: number) => boolean} holds
 */
export function firstIndex(length, holds) {
  let low = 0;
  while (low < length) {
    const middle = (low + length) >> 1;
    if (holds(middle)) length = middle;
    else low = middle + 1;
  }
  return low;
}
