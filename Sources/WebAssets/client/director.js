import { parseJSON } from "./numbers.js";

/**
 * @typedef {object} MutationOptions
 * @property {boolean} [reload] Whether to publish at once.
 * @property {string} [ifMatch] The revision that the director must be at, as a result named it; else status 412.
 * @property {string} [idempotencyKey] The server does what comes with the same key once; made where it is left out.
 * @property {Record<string, string>} [animations] How what is published is to be shown.
 * @property {boolean} [dryRun] Whether to answer the changeset and change nothing.
 * @property {string} [cause] What the changeset names this mutation by.
 *
 * @typedef {object} MutationResult
 * @property {number | undefined} version The version that shows it; undefined where nothing was published.
 * @property {string | undefined} revision For `ifMatch`.
 * @property {import("./types.js").Changeset | undefined} changeset What was published.
 *
 * @typedef {Promise<MutationResult> & {cause?: string}} Mutation
 *
 * @typedef {string | number} Address An identifier, `@first`, `@last`, or a number for a position.
 * @typedef {{op: string, [member: string]: any}} Operation An operation as `POST …/operations` takes it.
 * @typedef {(operations: Operation[], options?: MutationOptions) => Mutation} Run
 */

/**
 * An address as operations have it; what is undefined is left out of them.
 * @template {Address | undefined} Given
 * @param {Given} address
 */
const written = address => typeof address === "number" ? `@${address}` : address;

/** A section of a director: what changes it. Nothing is sent before a method is called. */
export class SectionPath {
  #run;

  /**
   * @internal
   * @param {Run} run
   * @param {Address} section
   */
  constructor(run, section) {
    this.section = written(section);
    this.#run = run;
  }

  /**
   * @param {string} op
   * @param {object} members
   * @param {MutationOptions} [options]
   */
  #do(op, members, options) {
    return this.#run([{ op, section: this.section, ...members }], options);
  }

  /**
   * Merges a patch into the section's own members, such as `headerTitle`.
   * @param {object} patch
   * @param {MutationOptions} [options]
   */
  update(patch, options) {
    return this.#do("patchSection", { patch }, options);
  }

  /**
   * Removes the section.
   * @param {MutationOptions} [options]
   */
  remove(options) {
    return this.#do("removeSection", {}, options);
  }

  /**
   * Merges a patch (RFC 7396) into an element's value.
   * @param {Address} element
   * @param {object} patch
   * @param {MutationOptions} [options]
   */
  patch(element, patch, options) {
    return this.#do("patchElement", { element: written(element), patch }, options);
  }

  /**
   * Replaces an element.
   * @param {Address} element
   * @param {{model?: string, value: any}} value
   * @param {MutationOptions} [options]
   */
  set(element, value, options) {
    return this.#do("setElement", { element: written(element), value }, options);
  }

  /**
   * Deletes an element.
   * @param {Address} element
   * @param {MutationOptions} [options]
   */
  delete(element, options) {
    return this.#do("removeElement", { element: written(element) }, options);
  }

  /**
   * Inserts elements, at the end or at an address.
   * @param {{model?: string, value: any}[]} elements
   * @param {MutationOptions & {at?: Address}} options
   */
  insert(elements, { at, ...options } = {}) {
    return this.#do("addElements", { elements, at: written(at) }, options);
  }

  /**
   * Moves an element to a position, which counts after the move, in this section or in another one.
   * @param {Address} from
   * @param {number} to
   * @param {MutationOptions & {toSection?: Address}} options
   */
  move(from, to, { toSection, ...options } = {}) {
    return this.#do("moveElement", { from: written(from), to, toSection: written(toSection) }, options);
  }

  /**
   * Replaces all elements.
   * @param {{model?: string, value: any}[]} elements
   * @param {MutationOptions} [options]
   */
  replace(elements, options) {
    return this.#do("setElements", { elements }, options);
  }
}

/** A director: what reads, makes and changes it. Making one sends nothing. */
export class Director {
  #transport;
  #sendsCauses;

  /**
   * @internal
   * @param {string} name
   * @param {import("./transport.js").Transport} transport
   * @param {boolean} sendsCauses
   */
  constructor(name, transport, sendsCauses) {
    this.name = name;
    this.#transport = transport;
    this.#sendsCauses = sendsCauses;
  }

  /**
   * The section of that identifier or position.
   * @param {Address} section
   */
  section(section) {
    return new SectionPath((operations, options) => this.operations(operations, options), section);
  }

  /**
   * Adds sections, at the end or at an address.
   * @param {object[]} sections
   * @param {MutationOptions & {at?: Address}} options
   */
  insert(sections, { at, ...options } = {}) {
    return this.operations([{ op: "addSections", sections, at: written(at) }], options);
  }

  /**
   * Moves a section from a position to another, which counts after the move.
   * @param {number} from
   * @param {number} to
   * @param {MutationOptions} [options]
   */
  move(from, to, options) {
    return this.operations([{ op: "moveSection", from, to }], options);
  }

  /**
   * Publishes what has changed since the last time.
   * @param {MutationOptions} [options]
   */
  reload(options) {
    return this.operations([], { ...options, reload: true });
  }

  /**
   * Several changes, all or none: those that `record` calls on the sections it is given.
   * @param {(batch: {section: (section: Address) => SectionPath}) => void} record
   * @param {MutationOptions} [options]
   */
  batch(record, options) {
    /** @type {Operation[]} */
    const operations = [];
    const keep = (/** @type {Operation[]} */ more) => {
      operations.push(...more);
      return /** @type {Mutation} */ (Promise.resolve({}));
    };
    record({ section: section => new SectionPath(keep, section) });
    return this.operations(operations, options);
  }

  /**
   * Runs operations in order, all or none. Sent again where the answer is lost, since the server does it only once.
   * @param {Operation[]} operations
   * @param {MutationOptions} options
   * @returns {Mutation}
   */
  operations(operations, { ifMatch, idempotencyKey = identifier(), cause, ...options } = {}) {
    cause ??= this.#sendsCauses ? identifier() : undefined;
    const headers = { "Idempotency-Key": idempotencyKey, "If-Match": ifMatch, "Callboard-Cause": cause };
    const mutation = this.call("POST", "/operations", { body: { operations, ...options }, headers }).then(answer => ({
      version: options.reload && !options.dryRun ? answer.body.version : undefined,
      revision: answer.revision,
      changeset: answer.body.stages && answer.body,
    }));
    return Object.assign(mutation, { cause });
  }

  /** What the director is; its `epoch` and `revision` make an `ifMatch`. */
  async read() {
    return (await this.call("GET", "")).body;
  }

  /**
   * Makes the director, or redefines it.
   * @param {{kind: "table" | "collection" | "flow" | "stack", properties?: object}} definition
   */
  async create(definition) {
    return (await this.call("PUT", "", { body: definition })).body;
  }

  /** Deletes the director; its streams end. */
  async delete() {
    await this.call("DELETE", "");
  }

  /**
   * Any other request: its answer's body, and the revision that it names.
   * @param {string} method
   * @param {string} path What follows the director's address, such as `/variables/isOpen`.
   * @param {import("./transport.js").CallOptions} [options]
   * @returns {Promise<{body: any, revision: string | undefined}>}
   */
  async call(method, path, options) {
    const answer = await this.#transport.call(method, `directors/${encodeURIComponent(this.name)}${path}`, options);
    const text = await answer.text();
    // A tag of the server's is strong: what compresses its answer on the way may have weakened it, or put its name at the end.
    const revision = answer.headers.get("ETag")?.replace(/^W\/|-(gzip|br|zstd|deflate)(?="$)/g, "");
    return { body: text ? parseJSON(text) : undefined, revision };
  }
}

/** A name that nothing else has; also where a page is not from a safe origin and `randomUUID` is missing. */
export function identifier() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("");
}
