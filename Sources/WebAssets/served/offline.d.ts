import { type Callboard, type CallboardError, type List, type Selection } from "./client.js";
/**
 * Keeps lists for the next visit of a page.
 *
 * A list of the store is shown at once, before there is a network, and its stream goes on after the version that is kept. What
 * is kept is the published state, not what is shown ahead of it.
 */
declare class ListStore {
    /**
     * @param {string} name What the lists are kept under: one for each server and each user.
     * @param {ListStoreOptions} options
     */
    constructor(name: string, { pause, limit, onError, storage }?: ListStoreOptions);
    /**
     * Follows a list as `callboard.follow` does, beginning with what is kept of it.
     * @template [Value=any] What the elements' values are.
     * @param {Callboard} callboard
     * @param {string} name
     * @param {Selection} [selection]
     * @returns {Promise<List<Value>>} The list, which has a version where one is kept; `isStale` until the stream has gone on from it.
     */
    follow<Value = any>(callboard: Callboard, name: string, selection?: Selection | undefined): Promise<List<Value>>;
    /**
     * Forgets a list.
     * @param {string} name
     * @param {Selection} [selection]
     */
    remove(name: string, selection?: Selection | undefined): Promise<void>;
    #private;
}
export type ListStoreOptions = {
    /**
     * For how many milliseconds changes are gathered before a list is kept again; 2,000 unless given.
     */
    pause?: number | undefined;
    /**
     * How many characters a list may take as JSON, 8,000,000 unless given; a longer one is not kept.
     */
    limit?: number | undefined;
    /**
     * Told that a list could not be kept, and its name.
     */
    onError?: ((error: Error, name: string) => void) | undefined;
    /**
     * Where lists are kept, in the place of IndexedDB.
     */
    storage?: RecordStorage | undefined;
};
/**
 * Reports that are on their way to the server: kept in order, and sent again until the server has taken them.
 *
 * Each report has an idempotency key of its own, which goes with each attempt: the server delivers it at least once, and once in
 * effect. Reports are kept in IndexedDB, and sent by the next page where this one goes before. Of several pages one at a time
 * sends, that which has a Web Lock; where there are none, each page does.
 */
declare class ReportQueue {
    /**
     * @param {Callboard} callboard
     * @param {ReportQueueOptions} options
     */
    constructor(callboard: Callboard, { name, limit, size, onRefused, storage }?: ReportQueueOptions);
    /** What could not be read, in words. The records stay where they are kept, under identifiers that begin with `damaged`. */
    get faults(): string[];
    /**
     * Whether reports survive the page; undefined before `ready`.
     * @type {boolean | undefined}
     */
    survives: boolean | undefined;
    /**
     * Resolves with the queue once it has read what is kept.
     * @type {Promise<ReportQueue>}
     */
    ready: Promise<ReportQueue>;
    /** How many reports wait, those of other pages and those that are being sent included. */
    get waiting(): number;
    /**
     * Keeps a report, and sends it once those before it have been taken.
     * @param {string} director The director's name.
     * @param {ReportedEvent} event What has happened. A place that is named (`section` and `element`) suits a report that may be
     *   sent late: the server has a version only for a while.
     * @param {Selection} [selection] What of the list is shown.
     * @returns {Promise<Outcome | undefined> & {kept: Promise<void>}} The outcome, undefined where another page has sent the report
     *   and has gone without a word; rejects where the server refuses the report, or the queue does not take it. `kept` resolves
     *   once the report is safe.
     */
    report(director: string, event: ReportedEvent, selection?: Selection | undefined): Promise<Outcome | undefined> & {
        kept: Promise<void>;
    };
    /** Sends at once where the queue waits for its next attempt. */
    wakeUp(): void;
    /** Ends the sending; what waits stays where it is kept. */
    close(): void;
    #private;
}
/**
 * What the server answers.
 */
export type Outcome = {
    delivery?: string | null;
    deliveries?: string[];
    values?: any[];
    problem?: any;
};
export type ReportQueueOptions = {
    /**
     * What the reports are kept under, `reports` unless given: one for each server and each user.
     */
    name?: string | undefined;
    /**
     * How many reports may wait; 1,000 unless given.
     */
    limit?: number | undefined;
    /**
     * How many characters they may have together, as they are kept; 4,194,304 unless given.
     */
    size?: number | undefined;
    /**
     * Told, in the page that has sent it, of a report that the
     * server has refused for good.
     */
    onRefused?: ((report: Report, problem: CallboardError) => void) | undefined;
    /**
     * Where reports are kept, in the place of IndexedDB.
     */
    storage?: RecordStorage | undefined;
};
/**
 * A report as its record has it.
 * @param {string} director
 * @param {ReportedEvent} event
 * @param {Selection} selection
 */
declare function written(director: string, event: ReportedEvent, selection: Selection): string;
/**
 * An error of the queue's own.
 * @param {string} type
 * @param {string} detail
 * @param {unknown} [cause]
 */
declare function failure(type: string, detail: string, cause?: unknown): CallboardError;
/** The records of reports in a storage. */
declare class ReportRecords {
    /** @type {string[]} */
    faults: string[];
    /**
     * Opens the storage; tells whether it survives the page.
     * @param {RecordStorage | undefined} given
     * @param {string} name
     */
    open(given: RecordStorage | undefined, name: string): Promise<boolean>;
    /**
     * The reports by their identifiers; what cannot be read is put aside and named.
     * @returns {Promise<Map<string, Waiting> | undefined>} Nothing where the storage fails.
     */
    load(): Promise<Map<string, Waiting> | undefined>;
    /**
     * @param {KeptRecord} record
     * @returns {Waiting}
     */
    read(record: KeptRecord): Waiting;
    /**
     * Keeps a report; it is safe when the promise resolves.
     * @param {string} text
     * @returns {Promise<[KeptRecord, Waiting]>}
     */
    add(text: string): Promise<[KeptRecord, Waiting]>;
    /**
     * Lets go of reports. Where the storage fails, they are sent again by another page, with their keys.
     * @param {string[]} ids
     */
    remove(ids: string[]): Promise<void>;
    close(): void;
    #private;
}
/**
 * A report that waits for the server.
 */
export type Report = {
    /**
     * The director's name.
     */
    director: string;
    /**
     * What has happened.
     */
    event: ReportedEvent;
    /**
     * The report's idempotency key.
     */
    key: string;
};
/**
 * What has happened, as `POST …/events` has it.
 */
export type ReportedEvent = {
    [member: string]: any;
    event: string;
};
/**
 * A report with its record's identifier and length, and its
 *   selection as a query.
 */
export type Waiting = Report & {
    id: string;
    query: string;
    length: number;
};
/**
 * The database of that name; memory where the browser has none, or does not let the page have it.
 * @param {string} name
 * @returns {Promise<RecordStorage>}
 */
declare function openStorage(name: string): Promise<RecordStorage>;
/** Keeps records for as long as the page is there. */
declare class MemoryStorage {
    all(): any[];
    /** @param {string} id */
    get(id: string): any;
    /** @param {any} record */
    put(record: any): void;
    /** @param {string} id */
    remove(id: string): void;
    #private;
}
/**
 * What a storage holds under an identifier.
 */
export type KeptRecord = {
    id: string;
    /**
     * The number of the text's form.
     */
    format: number;
    text: string;
};
/**
 * Where records are kept. Its calls may be answered late, and are made one after the other.
 */
export type RecordStorage = {
    /**
     * Every record.
     */
    all: () => Promise<any[]> | any[];
    /**
     * The record of that identifier; `all` is searched unless there is one.
     */
    get?: ((id: string) => Promise<any> | any) | undefined;
    /**
     * Keeps a record in place of an earlier one; it is safe when
     * the answer is there.
     */
    put: (record: KeptRecord) => Promise<unknown> | unknown;
    remove: (id: string) => Promise<unknown> | unknown;
    close?: (() => void) | undefined;
};
export { ListStore, ReportQueue };
