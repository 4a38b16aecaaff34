import { CallboardError, parseJSON, stringifyJSON } from "./client.js";
import { identifier } from "./director.js";
import { selectionQuery } from "./selection.js";
import { MemoryStorage, openStorage } from "./storage.js";

/** @typedef {import("./storage.js").KeptRecord} KeptRecord */

/**
 * @typedef {object} Report A report that waits for the server.
 * @property {string} director The director's name.
 * @property {ReportedEvent} event What has happened.
 * @property {string} key The report's idempotency key.
 *
 * @typedef {{event: string, [member: string]: any}} ReportedEvent What has happened, as `POST …/events` has it.
 *
 * @typedef {Report & {id: string, query: string, length: number}} Waiting A report with its record's identifier and length, and its
 *   selection as a query.
 */

/** The number of a record's form. */
const format = 1;
/** What the identifiers of records begin with that could not be read. */
const aside = "damaged ";

/** The records of reports in a storage. */
export class ReportRecords {
  /** @type {string[]} */
  faults = [];
  /** @type {import("./storage.js").RecordStorage} */
  #storage = new MemoryStorage();
  /** The greatest number of an identifier. */
  #last = 0;

  /**
   * Opens the storage; tells whether it survives the page.
   * @param {import("./storage.js").RecordStorage | undefined} given
   * @param {string} name
   */
  async open(given, name) {
    this.#storage = given ?? await openStorage(name);
    return !(this.#storage instanceof MemoryStorage);
  }

  /**
   * The reports by their identifiers; what cannot be read is put aside and named.
   * @returns {Promise<Map<string, Waiting> | undefined>} Nothing where the storage fails.
   */
  async load() {
    /** @type {Map<string, Waiting>} */
    const reports = new Map();
    let records;
    try {
      records = await this.#storage.all();
    } catch (error) {
      return void this.#fault(`the reports cannot be read: ${error}`);
    }
    for (const record of records) {
      if (`${record?.id}`.startsWith(aside)) continue;
      try {
        reports.set(record.id, this.read(record));
      } catch (error) {
        this.#fault(`the record ${record?.id} is no report: ${error instanceof Error ? error.message : error}`);
        await this.#putAside(record);
      }
    }
    return reports;
  }

  /** @param {string} text */
  #fault(text) {
    if (!this.faults.includes(text)) this.faults.push(text);
  }

  /** @param {any} record */
  async #putAside(record) {
    if (typeof record?.id !== "string") return;
    try {
      await this.#storage.put({ ...record, id: aside + record.id });
      await this.#storage.remove(record.id);
    } catch { /* It is put aside the next time. */ }
  }

  /**
   * @param {KeptRecord} record
   * @returns {Waiting}
   */
  read(record) {
    if (record.format !== format) throw new Error(`its form is ${record.format}, not ${format}`);
    const { director, query, key, event } = parseJSON(record.text) ?? {}, number = parseInt(record.id, 10);
    if (![director, query, key, event?.event].every(text => typeof text === "string") || !(number >= 0)) {
      throw new Error("members are missing");
    }
    this.#last = Math.max(this.#last, number);
    return { id: record.id, director, query, key, event, length: record.text.length };
  }

  /**
   * Keeps a report; it is safe when the promise resolves.
   * @param {string} text
   * @returns {Promise<[KeptRecord, Waiting]>}
   */
  async add(text) {
    // Identifiers are in the order of the reports, those of other pages and of earlier ones included.
    const number = Math.max(Date.now() * 1000, this.#last + 1);
    const record = { id: `${`${number}`.padStart(16, "0")} ${identifier()}`, format, text };
    const report = this.read(record);
    try {
      await this.#storage.put(record);
    } catch (cause) {
      throw failure("storage", `The report cannot be kept: ${cause}`, cause);
    }
    return [record, report];
  }

  /**
   * Lets go of reports. Where the storage fails, they are sent again by another page, with their keys.
   * @param {string[]} ids
   */
  async remove(ids) {
    await Promise.allSettled(ids.map(async id => this.#storage.remove(id)));
  }

  close() {
    this.#storage.close?.();
  }
}

/**
 * A report as its record has it.
 * @param {string} director
 * @param {ReportedEvent} event
 * @param {import("./selection.js").Selection} selection
 */
export function written(director, event, selection) {
  return stringifyJSON({ director, query: `${selectionQuery(selection)}`, key: identifier(), event });
}

/**
 * An error of the queue's own.
 * @param {string} type
 * @param {string} detail
 * @param {unknown} [cause]
 */
export function failure(type, detail, cause) {
  return new CallboardError({ type: `urn:callboard:client:${type}`, detail }, { cause });
}
