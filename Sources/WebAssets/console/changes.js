/** Changesets in words. */
import { count, h } from "./dom.js";
import { lineOf } from "./previews.js";

/** The kinds of change in the order in which they are told: what they are called, and their sign. */
const kinds = [
  ["elementUpdated", "element", "updated", "~"], ["elementDeleted", "element", "deleted", "−"],
  ["elementInserted", "element", "inserted", "+"], ["elementMoved", "element", "moved", "→"],
  ["sectionDeleted", "section", "deleted", "−"], ["sectionInserted", "section", "inserted", "+"],
  ["sectionMoved", "section", "moved", "→"], ["sectionUpdated", "section", "updated", "~"],
];

/** How much a changeset changes: `2 elements updated, 1 section moved`. */
export function summaryOf({ stages = [], replaced = [] }) {
  const told = kinds.flatMap(([member, what, done]) => {
    const total = stages.reduce((sum, stage) => sum + (stage[member]?.length ?? 0), 0);
    return total ? [`${count(total, what)} ${done}`] : [];
  });
  if (replaced.length) told.push(`${count(replaced.length, "value")} replaced without drawing anew`);
  return told.join(", ") || "nothing changes";
}

/** How many changes there are. */
export function sizeOf({ stages = [], replaced = [] }) {
  return stages.reduce((sum, stage) => sum + Object.values(stage).reduce((n, list) => n + list.length, 0), replaced.length);
}

/**
 * The changes of a changeset as a list, stage by stage; at most `most` lines. `before` and `after` are the list's sections as
 * they were and as they are then, as far as these are known.
 */
export function changeLines(changeset, { before = [], after = [], most = 200 } = {}) {
  const lines = [];
  for (const stage of changeset.stages ?? []) {
    for (const [member, , , sign] of kinds) {
      for (const change of stage[member] ?? []) lines.push({ sign, member, ...describe(member, change, before, after) });
    }
  }
  for (const { at, element } of changeset.replaced ?? []) lines.push({ sign: "=", place: placeText(at), says: named(element) });
  const rest = lines.length - most;
  return h("ol", { class: "changes" }, lines.slice(0, most).map(each => h("li", { class: each.member ?? "replaced" },
    h("span", { class: "sign", title: each.member ?? "replaced", "aria-hidden": "true" }, each.sign),
    h("span", { class: "place" }, h("span", { class: "unseen" }, `${each.member ?? "replaced"} `), each.place), h("span", { class: "line" }, each.says))),
  rest > 0 && h("li", { class: "muted" }, `and ${count(rest, "other change")}`));
}

/** What is deleted is where it was; where something is moved from is not, if deletes come before it. */
function describe(member, change, before, after) {
  const at = (sections, [section, index]) => sections[section]?.elements.at(index);
  if (member === "elementDeleted") return { place: placeText(change), says: named(at(before, change)) };
  if (member === "sectionDeleted") return { place: `${change}`, says: titled(before[change]) };
  if (member === "elementMoved") return { place: `${placeText(change.from)} → ${placeText(change.to)}`, says: named(at(after, change.to)) };
  if (member === "sectionMoved") return { place: `${change.from} → ${change.to}`, says: titled(after[change.to]) };
  if (change.section) {
    const { elements } = change.section;
    return { place: `${change.at}`, says: `${titled(change.section)}${elements ? `, ${count(elements.length, "element")}` : ""}` };
  }
  return { place: placeText(change.at), says: named(change.element) };
}

const titled = section => section ? `section ${section.headerTitle ?? section.id}` : "section";

/** An index path as text. */
export const placeText = path => `[${path.join(", ")}]`;

/** What an element is called, and what its row shows, where that does not begin with its name. */
function named(element) {
  if (!element) return "";
  const shown = lineOf(element, 120);
  return shown === element.id || shown.startsWith(`${element.id} `) ? shown : `${element.id}  ${shown}`;
}
