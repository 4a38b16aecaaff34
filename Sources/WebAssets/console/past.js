/** Reading a list as it was at a retained version. */
import { SparseElements } from "/client.js";

/** How many sections are asked for at most. */
const limit = 10000;

export class Past {
  #context;
  #base;

  constructor(context, base) {
    this.#context = context;
    this.#base = base;
  }

  async #get(path, query) {
    const { api, signal } = this.#context;
    return (await api.get(`${this.#base}/${path}`, { query, signal })).body;
  }

  /** The changeset that leads from a version to a later one. */
  changeset(from, to) {
    return this.#get("changesets", { from, to });
  }

  /** The sections at a version with all their elements. */
  async whole(version) {
    return (await this.#get("sections", { state: "published", version, limit })).sections;
  }

  /** The sections at a version with the lengths of their elements, of which none is loaded, and how many these are: `{sections, total}`. */
  async outline(version) {
    const { sections } = await this.#get("sections", { state: "published", version, limit, elements: false });
    return {
      sections: sections.map(({ count, ...section }) => ({ ...section, elements: new SparseElements(count ?? 0) })),
      total: sections.reduce((sum, { count }) => sum + (count ?? 0), 0),
    };
  }

  /** Whether a version is retained. */
  async has(version) {
    try {
      await this.#get("sections", { state: "published", version, elements: false, limit: 1 });
      return true;
    } catch (error) {
      if (error.status !== 410) throw error;
      return false;
    }
  }

  /** Puts a part of a section's elements at a version in their places. */
  async load(sections, version, at, first, end) {
    const { elements } = await this.#get(`sections/@${at}/elements`, { state: "published", version, offset: first, limit: end - first });
    elements.forEach((element, n) => sections[at].elements.splice(first + n, 1, element));
  }

  /** Loads of an outline a few rows around the places where a changeset reads it, where they are not there. */
  async loadNear(sections, version, stages) {
    for (const [at, index] of places(stages)) {
      const elements = sections[at]?.elements;
      const first = Math.max(0, index - 3), end = Math.min(elements?.length ?? 0, index + 4);
      if (elements && first < end && !elements.at(index)) await this.load(sections, version, at, first, end);
    }
  }
}

/** Where something is read in the list before: updates, deletes, sources of moves, as far as a stage's paths are near. */
function places(stages) {
  const found = stages.flatMap(stage => [
    ...(stage.elementUpdated ?? []).map(({ at }) => at), ...stage.elementDeleted ?? [],
    ...(stage.elementMoved ?? []).map(({ from }) => from), ...(stage.elementInserted ?? []).map(({ at }) => at),
  ]);
  return found.slice(0, 40);
}
