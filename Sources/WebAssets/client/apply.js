import { require } from "./errors.js";
import { SparseElements } from "./sparse.js";

/** @typedef {import("./types.js").Section} Section */
/** @typedef {import("./types.js").Element} Element */
/** @typedef {import("./types.js").Stage} Stage */

/** The operations of each of the five stages. */
const kinds = [
  ["elementUpdated"], ["sectionDeleted", "elementDeleted"], ["sectionInserted", "sectionMoved"],
  ["elementInserted", "elementMoved"], ["sectionUpdated"],
];

/**
 * For an element that a changeset has replaced without a change to what its cell shows: the element before it.
 * @type {WeakMap<object, object>}
 */
const likes = new WeakMap();

/**
 * The element that a cell was drawn from, where this one shows the same.
 * @param {object} element
 */
export function face(element) {
  return likes.get(element) ?? element;
}

/**
 * The sections after a changeset, or an error where it does not fit. What it leaves alone is shared with `sections`,
 * which stay as they are.
 *
 * @param {readonly Section[]} sections
 * @param {Pick<import("./types.js").Changeset, "stages" | "replaced" | "counts">} changeset
 * @param {(section: Section) => Section} [adopt] What is made of a section that is inserted.
 * @returns {Section[]}
 */
export function apply(sections, changeset, adopt = section => section) {
  let result = sections.slice(), next = 0;
  for (const stage of changeset.stages) {
    const names = Object.keys(stage);
    const kind = kinds.findIndex((kind, at) => at >= next && names.every(name => kind.includes(name)));
    require(names.length && kind >= 0, `no stage here has ${names}`);
    next = kind + 1;
    result = applyStage(result, stage, adopt);
  }
  replace(result, changeset.replaced ?? [], true);
  count(result, changeset.counts);
  return result;
}

/**
 * Fails where sections have other counts than the server says.
 * @param {Section[]} sections
 * @param {{sections: number, elements: number}} [counts]
 */
export function count(sections, counts) {
  const elements = sections.reduce((sum, section) => sum + section.elements.length, 0);
  require(!counts || counts.sections === sections.length && counts.elements === elements,
    `${sections.length} sections and ${elements} elements, not ${JSON.stringify(counts)}`);
}

/**
 * One stage: deletes, updates and the sources of moves are positions before it, inserts and targets after it.
 * @param {Section[]} sections
 * @param {Stage} stage
 * @param {(section: Section) => Section} adopt
 * @returns {Section[]}
 */
function applyStage(sections, stage, adopt) {
  replace(sections, stage.elementUpdated ?? [], false);
  const before = sections.slice();
  for (const { at, section } of stage.sectionUpdated ?? []) {
    require(before[at]?.id === section.id && sections[at] === before[at], `no section ${section.id}, or twice`);
    sections[at] = { ...section, elements: sections[at].elements };
  }

  const { sectionMoved = [], sectionDeleted = [], sectionInserted = [] } = stage;
  const moves = stage.elementMoved ?? [];
  const moved = moves.map(({ from, to }) => ({ at: to, element: elementAt(sections, from) }));
  const leaving = [...stage.elementDeleted ?? [], ...moves.map(move => move.from)].map(at => ({ at }));
  for (const [section, places] of bySection(sections, leaving)) {
    require(!sectionDeleted.includes(section), `no section ${section}, or twice`);
    change(sections, section, remove(sections[section].elements, places.map(place => place.at[1])));
  }

  const arriving = [
    ...sectionInserted.map(({ at, section }) => ({ at, item: adopt({ ...section, elements: section.elements ?? [] }) })),
    ...sectionMoved.map(({ from, to }) => ({ at: to, item: sections[from] })),
  ].sort((a, b) => a.at - b.at);
  const gone = [...sectionDeleted, ...sectionMoved.map(move => move.from)].sort((a, b) => a - b);
  sections = insert(remove(sections, gone), arriving);

  for (const [section, places] of bySection(sections, [...stage.elementInserted ?? [], ...moved])) {
    const items = places.map(({ at, element }) => ({ at: at[1], item: element }));
    change(sections, section, insert(sections[section].elements, items));
  }
  return sections;
}

/**
 * Puts elements in the place of those that are there, each in its own.
 * @param {Section[]} sections
 * @param {{at: import("./types.js").IndexPath, element: Element}[]} changes
 * @param {boolean} looksAlike Whether a cell shows the same as before.
 */
function replace(sections, changes, looksAlike) {
  for (const [section, places] of bySection(sections, changes)) {
    const elements = sections[section].elements.slice();
    ascending(places.map(({ at }) => at[1]), elements.length);
    for (const { at: [, index], element } of places) {
      const before = elements.at(index);
      const isSame = !before || before.id === element.id && before.model === element.model && before.row === element.row;
      require(isSame, `no element ${element.id} at [${section}, ${index}]`);
      if (before && looksAlike) likes.set(element, face(before));
      elements.splice(index, 1, element);
    }
    change(sections, section, elements);
  }
}

/**
 * Places by their section, those of each in ascending order.
 * @template {{at: import("./types.js").IndexPath}} Place
 * @param {Section[]} sections
 * @param {Place[]} places
 */
function bySection(sections, places) {
  /** @type {Map<number, Place[]>} */
  const groups = new Map();
  for (const place of places) {
    const section = place.at[0], group = groups.get(section);
    require(sections[section], `no section ${section}`);
    if (group) group.push(place);
    else groups.set(section, [place]);
  }
  for (const group of groups.values()) group.sort((a, b) => a.at[1] - b.at[1]);
  return groups;
}

/**
 * @param {Section[]} sections
 * @param {number} at
 * @param {Element[]} elements
 */
function change(sections, at, elements) {
  sections[at] = { ...sections[at], elements };
}

/**
 * @param {Section[]} sections
 * @param {import("./types.js").IndexPath} path
 */
function elementAt(sections, [section, index]) {
  const elements = sections[section]?.elements;
  require(elements && index >= 0 && index < elements.length, `no element at [${section}, ${index}]`);
  return /** @type {Element} */ (elements instanceof SparseElements ? elements.item(index) : elements[index]);
}

/**
 * Fails where indexes do not ascend, or are none below a size.
 * @param {number[]} indexes
 * @param {number} size
 */
function ascending(indexes, size) {
  indexes.forEach((index, n) => require(
    Number.isInteger(index) && index > (indexes[n - 1] ?? -1) && index < size, `no place ${index}, or twice`));
}

/**
 * A copy of a list without what stands at some indexes, which ascend.
 * @template Item
 * @param {Item[]} list
 * @param {number[]} indexes
 * @returns {Item[]}
 */
function remove(list, indexes) {
  ascending(indexes, list.length);
  if (list instanceof SparseElements || indexes.length < 2) {
    const result = list.slice();
    for (const index of [...indexes].reverse()) result.splice(index, 1);
    return result;
  }
  let n = 0;
  return list.filter((_, index) => index !== indexes[n] || (n++, false));
}

/**
 * A copy of a list with items put in: each stands at its index afterwards, and these ascend.
 * @template Item
 * @param {Item[]} list
 * @param {{at: number, item: Item}[]} arriving
 * @returns {Item[]}
 */
function insert(list, arriving) {
  const size = list.length + arriving.length;
  ascending(arriving.map(({ at }) => at), size);
  if (list instanceof SparseElements || arriving.length < 2) {
    const result = list.slice();
    for (const { at, item } of arriving) result.splice(at, 0, item);
    return result;
  }
  /** @type {Item[]} */
  const result = [];
  let taken = 0;
  for (const { at, item } of arriving) {
    while (result.length < at) result.push(list[taken++]);
    result.push(item);
  }
  while (taken < list.length) result.push(list[taken++]);
  return result;
}
