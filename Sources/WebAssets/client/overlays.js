/** @typedef {import("./types.js").Section} Section */

/**
 * @typedef {object} Overlay
 * @property {(sections: Section[]) => Section[]} change
 * @property {string | undefined} cause What changesets name the mutation by.
 * @property {number} version The version that has it in; Infinity until the server has said so.
 * @property {string} epoch The life of the list at which it was made.
 */

/** What is shown ahead of the server: functions over the published sections, each until its changeset arrives. */
export class Overlays {
  /** @type {Overlay[]} */
  #overlays = [];
  /** @type {readonly Section[] | undefined} */
  #base;
  /** @type {Section[]} */
  #result = [];
  #changed;

  /** @param {() => void} changed Called where an overlay comes or goes without a new version. */
  constructor(changed) {
    this.#changed = changed;
  }

  /**
   * The sections with everything on top; the same array until something changes.
   * @param {Section[]} sections
   */
  over(sections) {
    if (!this.#overlays.length) return sections;
    if (this.#base !== sections) {
      this.#base = sections;
      this.#result = this.#overlays.reduce((sections, overlay) => {
        try {
          return overlay.change(sections);
        } catch {
          // What it is about has gone meanwhile; the server's answer says what becomes of it.
          return sections;
        }
      }, sections);
    }
    return this.#result;
  }

  /**
   * @param {(sections: Section[]) => Section[]} change
   * @param {Promise<any>} outcome
   * @param {{version: number, epoch: string, sections: Section[]}} list
   */
  add(change, outcome, list) {
    // What cannot be shown at all is for the caller to know.
    change(this.over(list.sections));
    const cause = /** @type {any} */ (outcome).cause;
    /** @type {Overlay} */
    const overlay = { change, cause, version: Infinity, epoch: list.epoch };
    this.#replace([...this.#overlays, overlay]);
    outcome.then(result => {
      // A mutation that does not publish is shown by the next version.
      overlay.version = result?.version ?? list.version + 1;
      if (!isAhead(overlay, list)) this.#drop(overlay);
    }, () => this.#drop(overlay));
  }

  /**
   * Drops what a new version carries; the caller tells of it.
   * @param {{version: number, epoch: string}} list
   * @param {string[]} [causes]
   */
  settle(list, causes = []) {
    this.#overlays = this.#overlays.filter(overlay => isAhead(overlay, list) && !causes.includes(overlay.cause ?? ""));
  }

  /** @param {Overlay} overlay */
  #drop(overlay) {
    if (this.#overlays.includes(overlay)) this.#replace(this.#overlays.filter(other => other !== overlay));
  }

  /** @param {Overlay[]} overlays */
  #replace(overlays) {
    this.#overlays = overlays;
    this.#base = undefined;
    this.#changed();
  }
}

/**
 * Whether an overlay is not in a list yet. What the server has accepted is in every version of another life, or never will be.
 * @param {Overlay} overlay
 * @param {{version: number, epoch: string}} list
 */
function isAhead({ version, epoch }, list) {
  return version > list.version && (version === Infinity || epoch === list.epoch);
}
