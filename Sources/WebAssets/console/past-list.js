/** A list at one of its versions, as the views of a list take it. */
import { apply } from "/client.js";

/** A list of more elements is loaded where it is looked at only. */
const wholeAtMost = 2000;
/** How many rows are loaded at once. */
const pageSize = 100;

/**
 * It tells of another version with `shown`, of rows that were loaded with `loaded`, and with `lost` that rows cannot be loaded,
 * since the version is no longer retained.
 */
export class PastList extends EventTarget {
  #past;
  /** The pages of rows that were asked for. */
  #pages = new Set();

  constructor(past, { name, version, sections }) {
    super();
    this.#past = past;
    Object.assign(this, { name, version, sections });
  }

  get shown() {
    return this.sections;
  }

  getSnapshot() {
    return { sections: this.sections };
  }

  /**
   * What a version is: `{version, sections, isSparse, changeset, before}`. The version after the shown one follows from its
   * changeset; another one is read as the version before it, with the changeset. Of the oldest there is no changeset.
   */
  async read(version) {
    const from = version - 1;
    try {
      const changeset = version > 0 ? await this.#past.changeset(from, version) : undefined;
      if (changeset) {
        const before = await this.#before(changeset), sections = apply(before, changeset);
        return { version, sections, changeset, before, isSparse: isLong(changeset.counts.elements) || !isWhole(sections) };
      }
    } catch (error) {
      if (error.status !== 410) throw error;
    }
    const { sections, total } = await this.#past.outline(version);
    return { version, sections: isLong(total) ? sections : await this.#past.whole(version), isSparse: isLong(total) };
  }

  async #before({ from, stages, counts }) {
    if (this.version === from && isWhole(this.sections)) return this.sections;
    const { sections, total } = this.version === from ? this : await this.#past.outline(from);
    if (total !== undefined && !isLong(Math.max(total, counts.elements))) return this.#past.whole(from);
    // What is read there is named in the changes.
    await this.#past.loadNear(sections, from, stages);
    return sections;
  }

  /** Shows what was read. */
  show({ version, sections }) {
    Object.assign(this, { version, sections });
    this.#pages.clear();
    this.dispatchEvent(new Event("shown"));
  }

  /** Loads the page of a row of a long list. */
  async load(section, index) {
    const { sections, version } = this, first = index - index % pageSize, page = `${section} ${first}`;
    if (this.#pages.has(page)) return;
    this.#pages.add(page);
    try {
      await this.#past.load(sections, version, section, first, Math.min(first + pageSize, sections[section].elements.length));
      if (sections === this.sections) this.dispatchEvent(new Event("loaded"));
    } catch (error) {
      if (error.status === 410) return void this.dispatchEvent(new Event("lost"));
      if (sections === this.sections) this.#pages.delete(page);
      throw error;
    }
  }
}

const isLong = elements => elements > wholeAtMost;
const isWhole = sections => sections.every(({ elements }) => Array.isArray(elements));
