/** A changeset, step by step: the list before it, after each stage, and what each step does in words. */
import { SparseElements, apply } from "/client.js";
import { line } from "./json.js";

const stageNames = [
  [["elementUpdated"], "Elements updated"], [["sectionDeleted", "elementDeleted"], "Deletes"],
  [["sectionInserted", "sectionMoved"], "Sections inserted and moved"],
  [["elementInserted", "elementMoved"], "Elements inserted and moved"], [["sectionUpdated"], "Sections updated"],
];

/** The title of a stage. */
export function stageName(stage) {
  return stageNames.find(([kinds]) => kinds.some(kind => stage[kind]))?.[1] ?? "Nothing";
}

/**
 * The steps of a changeset that begins with `sections`: `{title, sections, operations, marks, leaving}`. The first is
 * the list before. `marks` are kinds by place in `sections`; `leaving` are the places that the next step removes.
 */
export function steps(sections, changeset) {
  const result = [{ title: `Version ${changeset.from}`, sections, operations: [], marks: new Map(), leaving: new Set() }];
  for (const stage of changeset.stages) {
    const before = result.at(-1);
    const after = apply(before.sections, { stages: [stage] });
    before.leaving = new Set([...stage.sectionDeleted ?? [], ...stage.elementDeleted ?? []].map(String));
    result.push({
      title: stageName(stage), sections: after, operations: operations(stage, before.sections), marks: marks(stage),
      leaving: new Set(),
    });
  }
  if (changeset.replaced?.length) {
    const before = result.at(-1);
    result.push({
      title: "Replaced, and drawn as before", leaving: new Set(),
      sections: apply(before.sections, { stages: [], replaced: changeset.replaced }),
      operations: changeset.replaced.map(({ at, element }) => ({ kind: "replaced", at, text: faceOf(element) })),
      marks: new Map(changeset.replaced.map(({ at }) => [String(at), "updated"])),
    });
  }
  return result;
}

/** What a stage's places are marked with after it. */
function marks(stage) {
  const places = [
    ["updated", stage.elementUpdated?.map(({ at }) => at)], ["inserted", stage.sectionInserted?.map(({ at }) => at)],
    ["moved", stage.sectionMoved?.map(({ to }) => to)], ["inserted", stage.elementInserted?.map(({ at }) => at)],
    ["moved", stage.elementMoved?.map(({ to }) => to)], ["updated", stage.sectionUpdated?.map(({ at }) => at)],
  ];
  return new Map(places.flatMap(([kind, found]) => (found ?? []).map(at => [String(at), kind])));
}

/** A stage's operations: `{kind, at, from, text}`. */
function operations(stage, before) {
  const title = section => section?.headerTitle || section?.id || "";
  const old = ([section, index]) => faceOf(itemAt(before[section]?.elements, index));
  const one = {
    elementUpdated: ({ at, element }) => ({ kind: "updated", at, text: faceOf(element) }),
    sectionDeleted: at => ({ kind: "deleted", at, text: title(before[at]), isSection: true }),
    elementDeleted: at => ({ kind: "deleted", at, text: old(at) }),
    sectionInserted: ({ at, section }) => ({ kind: "inserted", at, text: title(section), isSection: true }),
    sectionMoved: ({ from, to }) => ({ kind: "moved", from, at: to, text: title(before[from]), isSection: true }),
    elementInserted: ({ at, element }) => ({ kind: "inserted", at, text: faceOf(element) }),
    elementMoved: ({ from, to }) => ({ kind: "moved", from, at: to, text: old(from) }),
    sectionUpdated: ({ at, section }) => ({ kind: "updated", at, text: title(section), isSection: true }),
  };
  return Object.entries(one).flatMap(([kind, made]) => (stage[kind] ?? []).map(made));
}

/** What a row shows of an element: its identifier, or its value. */
export function faceOf(element) {
  return element ? element.id || line(element.value, 80) : "";
}

function itemAt(elements, index) {
  return elements instanceof SparseElements ? elements.at(index) : elements?.[index];
}

/** How many operations of each kind a changeset has, in words. */
export function summary(changeset) {
  const counts = { inserted: 0, deleted: 0, moved: 0, updated: 0, replaced: changeset.replaced?.length ?? 0 };
  for (const stage of changeset.stages) {
    for (const [kind, list] of Object.entries(stage)) counts[kind.replace(/^(element|section)/, "").toLowerCase()] += list.length;
  }
  return Object.entries(counts).filter(([, count]) => count).map(([kind, count]) => `${count} ${kind}`).join(", ") || "nothing";
}

/** How many rows stand around what is marked where a list is too long to show all. */
const around = 2;
const longestWhole = 60;
/** So many changes of a section are shown at most; all are counted. */
const mostMarked = 300;

/**
 * What is shown of a step: its sections with marked copies of what has changed. Of long sections only the rows around
 * marks; the gaps between are elements of the model `gap` whose value is how many they stand for.
 */
export function shown({ sections, marks, leaving }) {
  const mark = place => leaving.has(place) ? "leaving" : marks.get(place);
  const marked = new Map();
  for (const place of [...marks.keys(), ...leaving]) {
    const [section, index] = place.split(",").map(Number);
    if (index === undefined) continue;
    const indexes = marked.get(section) ?? [];
    if (indexes.length < mostMarked) indexes.push(index);
    marked.set(section, indexes);
  }
  return sections.map((section, at) => {
    const elements = [];
    let next = 0;
    for (const index of places(section.elements.length, marked.get(at) ?? [])) {
      if (index > next) elements.push(gap(index - next, elements.length));
      const element = itemAt(section.elements, index) ?? { id: `@${index}`, value: null, isUnknown: true };
      elements.push({ ...element, index, mark: mark(`${at},${index}`) });
      next = index + 1;
    }
    if (section.elements.length > next) elements.push(gap(section.elements.length - next, elements.length));
    return { ...section, elements, mark: mark(`${at}`), count: section.elements.length };
  });
}

/** The indexes to show of a section. */
function places(length, marked) {
  if (length <= longestWhole) return Array.from({ length }, (_, index) => index);
  const near = new Set([0, 1, 2, length - 1]);
  for (const index of marked) for (let n = index - around; n <= index + around; n++) if (n >= 0 && n < length) near.add(n);
  return [...near].sort((a, b) => a - b);
}

function gap(count, at) {
  return { id: `gap-${at}`, model: "gap", value: count };
}
