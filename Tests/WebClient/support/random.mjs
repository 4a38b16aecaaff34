// Random lists and changesets, made without the client's code: a changeset is written down while a list is changed by it.

/** The seed of this run: CALLBOARD_SEED where it is set, so that a failure can be repeated. */
export const seed = Number(process.env.CALLBOARD_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** A generator of numbers below a bound (mulberry32). */
export function generator(seed) {
  let state = seed >>> 0;
  return bound => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

let made = 0;

/** An element that no other one is like. */
export const element = (id = `e${made++}`) => ({ id, model: "Item", value: { stamp: made++ } });

export const section = (below, size = below(6)) =>
  ({ id: `s${made++}`, headerTitle: `${below(3)}`, elements: Array.from({ length: size }, () => element()) });

export const list = below => Array.from({ length: below(6) }, () => section(below));

const choose = (below, length, share = 3) => [...Array(length).keys()].filter(() => below(share) === 0);
const shuffled = (below, items) => {
  const result = items.slice();
  for (let n = result.length - 1; n > 0; n--) {
    const other = below(n + 1);
    [result[n], result[other]] = [result[other], result[n]];
  }
  return result;
};

/** The list that has the arriving items at their indexes and the others, in order, everywhere else. */
function merge(rest, arriving) {
  const result = [], left = rest.slice(), at = new Map(arriving);
  for (let n = 0; n < rest.length + arriving.length; n++) result.push(at.has(n) ? at.get(n) : left.shift());
  return result;
}

const copy = sections => sections.map(section => ({ ...section, elements: section.elements.slice() }));
const each = sections => sections.flatMap((section, s) => section.elements.map((element, e) => ({ at: [s, e], element })));

/** A changeset with everything that can be in one, each at random, and the list that it leads to. */
export function changed(below, source) {
  let state = copy(source);
  const stages = [];

  const elementUpdated = each(state).filter(() => below(4) === 0)
    .map(({ at, element }) => ({ at, element: { ...element, value: { stamp: made++ } } }));
  for (const { at, element } of elementUpdated) state[at[0]].elements[at[1]] = element;
  stages.push({ elementUpdated });

  const sectionDeleted = choose(below, state.length, 4);
  const elementDeleted = each(state).filter(({ at }) => !sectionDeleted.includes(at[0]) && below(4) === 0).map(({ at }) => at);
  const dead = new Set(elementDeleted.map(String));
  state = state.map((section, s) => ({ ...section, elements: section.elements.filter((_, e) => !dead.has(`${s},${e}`)) }))
    .filter((_, s) => !sectionDeleted.includes(s));
  stages.push({ sectionDeleted, elementDeleted });

  const leaving = choose(below, state.length, 4);
  const fresh = Array.from({ length: below(3) }, () => section(below));
  const size = state.length + fresh.length;
  const targets = shuffled(below, [...Array(size).keys()]).slice(0, leaving.length + fresh.length);
  const sectionMoved = leaving.map((from, n) => ({ from, to: targets[n] }));
  const sectionInserted = fresh.map((section, n) => ({ at: targets[leaving.length + n], section }));
  state = merge(state.filter((_, s) => !leaving.includes(s)), [
    ...sectionMoved.map(({ from, to }) => [to, state[from]]), ...sectionInserted.map(({ at, section }) => [at, section])]);
  state = copy(state);
  stages.push({ sectionInserted, sectionMoved });

  const moving = each(state).filter(() => below(4) === 0);
  const arriving = moving.map(({ at, element }) => ({ from: at, element, section: below(state.length) }));
  const added = state.length ? Array.from({ length: below(5) }, () => ({ element: element(), section: below(state.length) })) : [];
  const moved = new Set(moving.map(({ at }) => `${at}`));
  state = state.map((section, s) => ({ ...section, elements: section.elements.filter((_, e) => !moved.has(`${s},${e}`)) }));
  const stage = { elementInserted: [], elementMoved: [] };
  state = state.map((section, s) => {
    const here = [...arriving, ...added].filter(item => item.section === s);
    const places = shuffled(below, [...Array(section.elements.length + here.length).keys()]).slice(0, here.length);
    here.forEach(({ from, element }, n) => from
      ? stage.elementMoved.push({ from, to: [s, places[n]] }) : stage.elementInserted.push({ at: [s, places[n]], element }));
    return { ...section, elements: merge(section.elements, here.map(({ element }, n) => [places[n], element])) };
  });
  stages.push(stage);

  const sectionUpdated = choose(below, state.length, 4)
    .map(at => ({ at, section: { id: state[at].id, headerTitle: `${made++}` } }));
  for (const { at, section } of sectionUpdated) state[at] = { ...section, elements: state[at].elements };
  stages.push({ sectionUpdated });

  const replaced = each(state).filter(() => below(6) === 0)
    .map(({ at, element }) => ({ at, element: { ...element, value: { stamp: made++ } } }));
  for (const { at, element } of replaced) state[at[0]].elements[at[1]] = element;

  return { target: state, changeset: { stages: stages.map(tidy).filter(stage => Object.keys(stage).length), replaced, counts: counts(state) } };
}

/** Operations come in any order within a stage. */
const tidy = stage => Object.fromEntries(Object.entries(stage).filter(([, operations]) => operations.length));

export const counts = sections =>
  ({ sections: sections.length, elements: sections.reduce((sum, section) => sum + section.elements.length, 0) });
