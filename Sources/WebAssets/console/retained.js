/** Retained versions of a list, without a page: which there are, and what is said of one. */

/**
 * The oldest version that is retained; these are without gaps up to the newest, and the API does not tell where they begin.
 * @param {(version: number) => Promise<boolean>} has
 */
export async function oldestRetained(has, newest, least = 0) {
  // Most lists have them all, or some thousands.
  if (least >= newest || await has(least)) return Math.min(least, newest);
  let low = least, high = newest;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await has(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * What a changeset has done to the rows that are there after it: `[[path, "inserted"]]`, in classes. Its first stage has the
 * places before it; the rows that it updates are found in `sections`, which are those after it.
 */
export function marksOf({ stages }, sections) {
  const of = member => stages.flatMap(stage => stage[member] ?? []);
  const updated = new Set(of("elementUpdated").map(({ element }) => element)), marks = [];
  const inserted = new Set(of("sectionInserted").map(({ at }) => at));
  sections.forEach(({ elements }, section) => {
    if (!updated.size && !inserted.has(section)) return;
    // In an outline, only rows that are loaded have anything to find.
    elements.map((element, index) => {
      const mark = inserted.has(section) ? "was-inserted" : updated.has(element) && "was-updated";
      if (mark) marks.push([[section, index], mark]);
      return element;
    });
  });
  for (const { at } of of("elementInserted")) marks.push([at, "was-inserted"]);
  for (const { to } of of("elementMoved")) marks.push([to, "was-moved"]);
  return marks;
}

/** What is known of a version besides its number, in words: when it came, what caused it, what it changed. */
export function saidOf({ came, causes, summary }) {
  const clock = came && `arrived ${came.toLocaleTimeString("en-GB")}`;
  return [clock, causes?.length && `caused by ${causes.join(", ")}`, summary].filter(Boolean);
}
