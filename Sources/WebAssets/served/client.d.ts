/**
 * The element that a cell was drawn from, where this one shows the same.
 * @param {object} element
 */
declare function face(element: object): object;
/**
 * The sections after a changeset, or an error where it does not fit. What it leaves alone is shared with `sections`,
 * which stay as they are.
 *
 * @param {readonly Section[]} sections
 * @param {Pick<Changeset, "stages" | "replaced" | "counts">} changeset
 * @param {(section: Section) => Section} [adopt] What is made of a section that is inserted.
 * @returns {Section[]}
 */
declare function apply(sections: readonly Section[], changeset: Pick<Changeset, "stages" | "replaced" | "counts">, adopt?: ((section: Section) => Section) | undefined): Section[];
/**
 * Fails where sections have other counts than the server says.
 * @param {Section[]} sections
 * @param {{sections: number, elements: number}} [counts]
 */
declare function count(sections: Section[], counts?: {
    sections: number;
    elements: number;
} | undefined): void;
/**
 * Finds the entry of each item: what is the same object at either end of the list, and by its key in between.
 * @template Item
 * @template {Entry<Item>} E
 * @param {E[]} before
 * @param {Item[]} items
 * @param {(item: Item) => string} keyOf Equal keys are paired in their order.
 * @returns {Match<Item, E>}
 */
declare function match<Item, E extends Entry<Item>>(before: E[], items: Item[], keyOf: (item: Item) => string): Match<Item, E>;
/**
 * Puts the nodes of entries into their order, moving as few as that takes.
 * @param {globalThis.Element} parent Has the nodes in the order of `sources`, and others anywhere.
 * @param {Entry<any>[]} entries
 * @param {number[]} sources
 * @param {number} [start]
 * @param {number} [end]
 */
declare function arrange(parent: globalThis.Element, entries: Entry<any>[], sources: number[], start?: number | undefined, end?: number | undefined): void;
/**
 * What is shown of an item.
 */
export type Entry<Item> = {
    item: Item;
    node: globalThis.Element;
};
export type Match<Item, E extends Entry<Item> = Entry<Item>> = {
    /**
     * For each item its entry; undefined where it is new.
     */
    entries: (E | undefined)[];
    /**
     * Where each entry was; -1 where the item is new.
     */
    sources: number[];
    /**
     * Before this index nothing has changed.
     */
    start: number;
    /**
     * From this index on nothing has changed.
     */
    end: number;
    /**
     * The entries whose items are gone.
     */
    leaving: E[];
};
export type CallboardOptions = {
    /**
     * The server; in a browser the page's own origin unless given.
     */
    url?: string | undefined;
    /**
     * The token, or what gives one; a function is asked again before a token ends, and when the server refuses one.
     */
    token?: Token | (() => Token | Promise<Token>) | undefined;
    /**
     * What carries streams; `eventsource` needs the session's cookie, or a
     * token for a ticket.
     */
    stream?: "fetch" | "eventsource" | undefined;
    /**
     * Pages of one origin that say the same share a stream. Pages whose users differ have
     * to say something different, or false.
     */
    share?: string | false | undefined;
    /**
     * Whether cookies go along; `same-origin` unless given.
     */
    credentials?: RequestCredentials | undefined;
    /**
     * Whether mutations name their cause; unless given, where the server is the page's own.
     */
    causes?: boolean | undefined;
    /**
     * After so many milliseconds without a byte a stream counts as dead at the latest; 45,000
     * unless given. It does 3 seconds after a heartbeat was due, and within 10 where somebody sees the page and no request is answered.
     */
    silence?: number | undefined;
    /**
     * What sends requests.
     */
    fetch?: typeof fetch | undefined;
};
/** A server, and the streams and lists that come from it. */
declare class Callboard {
    /** @param {CallboardOptions} [options] */
    constructor(options?: CallboardOptions | undefined);
    /**
     * Follows a director's published list. The same name and selection give the same list, and what is followed in one go has
     * one stream, but for selections: each has its own. `list.close()` stops it, once for each call.
     * @template [Value=any] What the elements' values are.
     * @template {boolean} [Sparse=false] As the option; it is said where `Value` is.
     * @param {string} name
     * @param {{sparse?: Sparse, from?: KeptState<Value>} & Selection} options `sparse`
     *   loads rows only where they are asked for, and takes no selection. `from` is what a list begins with that has no version yet:
     *   its stream goes on from there.
     * @returns {Sparse extends true ? SparseList<Value> : List<Value>}
     */
    follow<Value = any, Sparse extends boolean = false>(name: string, { sparse, from, ...selection }?: {
        sparse?: Sparse | undefined;
        from?: KeptState<Value> | undefined;
    } & Selection): Sparse extends true ? SparseList<Value> : List<Value>;
    /**
     * The director of that name: what reads, makes and changes it.
     * @param {string} name
     */
    director(name: string): Director;
    /** Stops everything that is followed. */
    close(): void;
    #private;
}
/** A name that nothing else has; also where a page is not from a safe origin and `randomUUID` is missing. */
declare function identifier(): string;
/** A section of a director: what changes it. Nothing is sent before a method is called. */
declare class SectionPath {
    section: Address;
    /**
     * Merges a patch into the section's own members, such as `headerTitle`.
     * @param {object} patch
     * @param {MutationOptions} [options]
     */
    update(patch: object, options?: MutationOptions | undefined): Mutation;
    /**
     * Removes the section.
     * @param {MutationOptions} [options]
     */
    remove(options?: MutationOptions | undefined): Mutation;
    /**
     * Merges a patch (RFC 7396) into an element's value.
     * @param {Address} element
     * @param {object} patch
     * @param {MutationOptions} [options]
     */
    patch(element: Address, patch: object, options?: MutationOptions | undefined): Mutation;
    /**
     * Replaces an element.
     * @param {Address} element
     * @param {{model?: string, value: any}} value
     * @param {MutationOptions} [options]
     */
    set(element: Address, value: {
        model?: string;
        value: any;
    }, options?: MutationOptions | undefined): Mutation;
    /**
     * Deletes an element.
     * @param {Address} element
     * @param {MutationOptions} [options]
     */
    delete(element: Address, options?: MutationOptions | undefined): Mutation;
    /**
     * Inserts elements, at the end or at an address.
     * @param {{model?: string, value: any}[]} elements
     * @param {MutationOptions & {at?: Address}} options
     */
    insert(elements: {
        model?: string;
        value: any;
    }[], { at, ...options }?: MutationOptions & {
        at?: Address;
    }): Mutation;
    /**
     * Moves an element to a position, which counts after the move, in this section or in another one.
     * @param {Address} from
     * @param {number} to
     * @param {MutationOptions & {toSection?: Address}} options
     */
    move(from: Address, to: number, { toSection, ...options }?: MutationOptions & {
        toSection?: Address;
    }): Mutation;
    /**
     * Replaces all elements.
     * @param {{model?: string, value: any}[]} elements
     * @param {MutationOptions} [options]
     */
    replace(elements: {
        model?: string;
        value: any;
    }[], options?: MutationOptions | undefined): Mutation;
    #private;
}
/** A director: what reads, makes and changes it. Making one sends nothing. */
declare class Director {
    name: string;
    /**
     * The section of that identifier or position.
     * @param {Address} section
     */
    section(section: Address): SectionPath;
    /**
     * Adds sections, at the end or at an address.
     * @param {object[]} sections
     * @param {MutationOptions & {at?: Address}} options
     */
    insert(sections: object[], { at, ...options }?: MutationOptions & {
        at?: Address;
    }): Mutation;
    /**
     * Moves a section from a position to another, which counts after the move.
     * @param {number} from
     * @param {number} to
     * @param {MutationOptions} [options]
     */
    move(from: number, to: number, options?: MutationOptions | undefined): Mutation;
    /**
     * Publishes what has changed since the last time.
     * @param {MutationOptions} [options]
     */
    reload(options?: MutationOptions | undefined): Mutation;
    /**
     * Several changes, all or none: those that `record` calls on the sections it is given.
     * @param {(batch: {section: (section: Address) => SectionPath}) => void} record
     * @param {MutationOptions} [options]
     */
    batch(record: (batch: {
        section: (section: Address) => SectionPath;
    }) => void, options?: MutationOptions | undefined): Mutation;
    /**
     * Runs operations in order, all or none. Sent again where the answer is lost, since the server does it only once.
     * @param {Operation[]} operations
     * @param {MutationOptions} options
     * @returns {Mutation}
     */
    operations(operations: Operation[], { ifMatch, idempotencyKey, cause, ...options }?: MutationOptions): Mutation;
    /** What the director is; its `epoch` and `revision` make an `ifMatch`. */
    read(): Promise<any>;
    /**
     * Makes the director, or redefines it.
     * @param {{kind: "table" | "collection" | "flow" | "stack", properties?: object}} definition
     */
    create(definition: {
        kind: "table" | "collection" | "flow" | "stack";
        properties?: object;
    }): Promise<any>;
    /** Deletes the director; its streams end. */
    delete(): Promise<void>;
    /**
     * Any other request: its answer's body, and the revision that it names.
     * @param {string} method
     * @param {string} path What follows the director's address, such as `/variables/isOpen`.
     * @param {CallOptions} [options]
     * @returns {Promise<{body: any, revision: string | undefined}>}
     */
    call(method: string, path: string, options?: CallOptions | undefined): Promise<{
        body: any;
        revision: string | undefined;
    }>;
    #private;
}
export type MutationOptions = {
    /**
     * Whether to publish at once.
     */
    reload?: boolean | undefined;
    /**
     * The revision that the director must be at, as a result named it; else status 412.
     */
    ifMatch?: string | undefined;
    /**
     * The server does what comes with the same key once; made where it is left out.
     */
    idempotencyKey?: string | undefined;
    /**
     * How what is published is to be shown.
     */
    animations?: Record<string, string> | undefined;
    /**
     * Whether to answer the changeset and change nothing.
     */
    dryRun?: boolean | undefined;
    /**
     * What the changeset names this mutation by.
     */
    cause?: string | undefined;
};
export type MutationResult = {
    /**
     * The version that shows it; undefined where nothing was published.
     */
    version: number | undefined;
    /**
     * For `ifMatch`.
     */
    revision: string | undefined;
    /**
     * What was published.
     */
    changeset: Changeset | undefined;
};
export type Mutation = Promise<MutationResult> & {
    cause?: string;
};
/**
 * An identifier, `@first`, `@last`, or a number for a position.
 */
export type Address = string | number;
/**
 * An operation as `POST …/operations` takes it.
 */
export type Operation = {
    [member: string]: any;
    op: string;
};
export type Run = (operations: Operation[], options?: MutationOptions) => Mutation;
/**
 * The media type of an answer, without parameters.
 * @param {Response} response
 */
declare function mediaType(response: Response): string;
/**
 * @param {unknown} condition
 * @param {string} reason
 * @returns {asserts condition}
 */
declare function require(condition: unknown, reason: string): asserts condition;
/** What the type of every problem of a Callboard server begins with. */
declare const own: "urn:callboard:problem:";
/**
 * What went wrong, with the members of the server's problem (RFC 9457).
 *
 * `status` is 0 where no answer came, and `cause` then says why.
 */
declare class CallboardError extends Error {
    /**
     * The error of an answer that is not a success.
     * @param {Response} response
     */
    static of(response: Response): Promise<CallboardError>;
    /**
     * The error of an answer that is none of a Callboard server.
     * @param {Response} response
     * @param {string} wanted
     */
    static unexpected(response: Response, wanted: string): CallboardError;
    /**
     * The error of a request that got no answer.
     * @param {unknown} cause
     */
    static unreachable(cause: unknown): CallboardError;
    /**
     * @param {{type?: string, title?: string, status?: number, detail?: string, instance?: string,
     *   errors?: {pointer: string, detail: string}[]}} problem
     * @param {{cause?: unknown, retryAfter?: number}} [more]
     */
    constructor(problem: {
        type?: string;
        title?: string;
        status?: number;
        detail?: string;
        instance?: string;
        errors?: {
            pointer: string;
            detail: string;
        }[];
    }, more?: {
        cause?: unknown;
        retryAfter?: number | undefined;
    } | undefined);
    /**
     * After how many seconds the server wants to be asked again.
     * @type {number | undefined}
     */
    retryAfter: number | undefined;
    type: string;
    title: string | undefined;
    status: number;
    detail: string | undefined;
    instance: string | undefined;
    errors: {
        pointer: string;
        detail: string;
    }[];
    /**
     * Whether the same request may succeed a little later: unless a Callboard server itself has refused it, and not for the
     * moment only, or while it carries out the same request. Whatever else answers in its place passes: a proxy, a router's own 404, a portal.
     */
    get isTemporary(): boolean;
}
/** Why a copy of a list and what the server sent do not fit together. */
declare class Mismatch extends Error {
}
/** Lists that share one stream: it carries them all, and the events are handed to the one that they are of. */
declare class Hub {
    /** @param {HubOptions} options */
    constructor(options: HubOptions);
    /**
     * The list of that name; it stays until it is left as often as it was followed.
     * @param {string} name
     * @param {string} [page] Another page, for which the list is kept.
     */
    follow(name: string, page?: string | undefined): List<any>;
    /**
     * @param {string} name
     * @param {string} [page]
     */
    leave(name: string, page?: string | undefined): void;
    /** Ends everything. */
    close(): void;
    /** Another page has the stream from now on, and is asked for the lists whole: this page may have missed a long time. */
    yield(): void;
    /** Gives sharing up: the page has a stream of its own from now on. */
    connectAlone(): void;
    /** The names that are followed, with where each list is. */
    get positions(): [string, string][];
    /**
     * A list, if it is followed.
     * @param {string} name
     */
    list(name: string): List<any> | undefined;
    /** Opens the stream, or has it carry what is followed now. */
    connect(): void;
    /**
     * Hands an event to the list that it is of.
     * @param {string} event
     * @param {string} text
     */
    deliver(event: string, text: string): void;
    /**
     * @param {Status} status
     * @param {CallboardError} [error]
     */
    setStatus(status: Status, error?: CallboardError | undefined): void;
    /** Has the stream found out whether it still works. */
    check(): void;
    /** Tells the other pages where the stream stands. */
    tellStatus(): void;
    /**
     * @param {string} name
     * @param {CallboardError} error
     */
    fail(name: string, error: CallboardError): void;
    #private;
}
export type HubOptions = {
    transport: Transport;
    make: (name: string, close: () => void) => List;
    /**
     * What makes a connection.
     */
    read: (opening: Opening) => Promise<void>;
    /**
     * What is selected of the one list that the hub has then.
     */
    select?: URLSearchParams | undefined;
    /**
     * The form of snapshot that is asked for.
     */
    snapshot: string | undefined;
    /**
     * What pages are known by that share a stream; undefined for a stream of its own.
     */
    share: string | undefined;
    silence: number;
};
/**
 * What a list tells its listeners: `snapshot`, `change`, `resumed`, `refresh`, `scroll`, `definition`, `end`, `status`,
 * `mismatch`, `shown`.
 */
declare class ListEvent extends Event {
    /**
     * @param {string} type
     * @param {List} list
     * @param {{changeset?: Changeset, reset?: string, reason?: string, error?: Error,
     *   elements?: {at: IndexPath}[], scroll?: Scroll}} [more]
     */
    constructor(type: string, list: List, more?: {
        changeset?: Changeset | undefined;
        reset?: string | undefined;
        reason?: string | undefined;
        error?: Error | undefined;
        elements?: {
            at: IndexPath;
        }[] | undefined;
        scroll?: Scroll | undefined;
    } | undefined);
    /**
     * Of `change`: what has led to the list's version. The list itself has moved on already.
     * @type {Changeset}
     */
    changeset: Changeset;
    /**
     * Of `snapshot`: why an earlier copy was thrown away.
     * @type {string | undefined}
     */
    reset: string | undefined;
    /**
     * Of `end`: the server's reason.
     * @type {string | undefined}
     */
    reason: string | undefined;
    /**
     * Of `mismatch` and of `status`: what went wrong.
     * @type {Error | undefined}
     */
    error: Error | undefined;
    /**
     * Of `refresh`: the elements to draw anew; undefined for all.
     * @type {{at: IndexPath}[] | undefined}
     */
    elements: {
        at: IndexPath;
    }[] | undefined;
    /**
     * Of `scroll`: the element to bring into view, and where.
     * @type {Scroll | undefined}
     */
    scroll: Scroll | undefined;
    list: List<any>;
}
/**
 * A director's published list, kept up to date by a stream.
 *
 * Sections, elements and values are shared between versions, and are not to be changed. Where something does not fit,
 * the list says so with `mismatch`, keeps what it has, and a fresh snapshot follows.
 * @template [Value=any] What the elements' values are.
 */
declare class List<Value = any> extends EventTarget {
    /**
     * The published sections, always whole and of `version`.
     * @type {Section<Value>[]}
     */
    sections: Section<Value>[];
    /** The life of the director that the version belongs to. */
    epoch: string;
    /** The published version; -1 before the first snapshot. */
    version: number;
    /** @type {Definition | undefined} */
    definition: Definition | undefined;
    /** @type {Status} */
    status: Status;
    /**
     * Why the list has failed.
     * @type {Error | undefined}
     */
    error: Error | undefined;
    /**
     * Resolves with the list once it has a version; rejects where there will be none.
     * @type {Promise<this>}
     */
    ready: Promise<this>;
    name: string;
    director: Director;
    /** Stops following. */
    close: () => void;
    /**
     * Whether there may be a later version than the one that is shown: nothing says that the stream works, or something has
     * not fitted. `status` and `mismatch` tell when it begins, `status` and `snapshot` when it is over.
     */
    get isStale(): boolean;
    /**
     * What is to be shown: the published sections with what is shown ahead of time.
     * @returns {Section<Value>[]}
     */
    get shown(): Section<Value>[];
    /**
     * Calls a listener now and after every change, as Svelte's stores do; returns what ends it.
     * @param {(state: ListState<Value>) => void} listener
     */
    subscribe(listener: (state: ListState<Value>) => void): () => undefined;
    /**
     * What the list holds; the same object until something changes, as React's `useSyncExternalStore` wants it.
     * @returns {ListState<Value>}
     */
    getSnapshot(): ListState<Value>;
    /**
     * Shows changes at once that a mutation is to bring, until the changeset that carries them arrives, or its refusal.
     *
     * What `change` throws the first time is thrown. Of a sparse list it changes the rows that are loaded: `elements` has `map`
     * and `filter`, which pass over the others.
     * @template Result
     * @param {(sections: Section<Value>[]) => Section<Value>[]} change What becomes of the
     *   published sections, which are not to be changed themselves; called again for each version in between.
     * @param {Promise<Result>} outcome The mutation's promise.
     * @returns {Promise<Result>} The same promise.
     */
    optimistically<Result>(change: (sections: Section<Value>[]) => Section<Value>[], outcome: Promise<Result>): Promise<Result>;
    /**
     * Reports an event that answers nothing, such as `didSelect`.
     * @param {string} event
     * @param {IndexPath | {header: number} | {footer: number} | undefined} [at]
     * @param {Record<string, unknown>} [parameters]
     * @returns {Promise<{delivery: string | null}>}
     */
    report(event: string, at?: IndexPath | {
        header: number;
    } | {
        footer: number;
    } | undefined, parameters?: Record<string, unknown> | undefined): Promise<{
        delivery: string | null;
    }>;
    /**
     * Asks what a hook answers for each of some elements, such as `rowHeight`.
     * @param {string} event
     * @param {IndexPath[]} indexPaths
     * @param {Record<string, unknown>} [parameters]
     * @returns {Promise<{value: any, source: string, reason?: string}[]>}
     */
    ask(event: string, indexPaths: IndexPath[], parameters?: Record<string, unknown> | undefined): Promise<{
        value: any;
        source: string;
        reason?: string;
    }[]>;
    #private;
}
/** Lets rows glide from where they were to where they are (FLIP), as far as they can be seen. */
declare class Motion {
    /** @param {boolean} isWanted */
    constructor(isWanted: boolean);
    /**
     * Notes where the visible rows are, before anything changes.
     * @param {{rows: {node: globalThis.Element}[], node: globalThis.Element}[]} views
     */
    measure(views: {
        rows: {
            node: globalThis.Element;
        }[];
        node: globalThis.Element;
    }[]): void;
    /** @param {globalThis.Element} node */
    arrives(node: globalThis.Element): void;
    /** Animates what has moved or arrived. */
    play(): void;
    #private;
}
/**
 * Reads JSON; a number that a double would change becomes a `CallboardNumber`, any other is a number.
 * @param {string} text
 * @returns {any}
 */
declare function parseJSON(text: string): any;
/**
 * Writes JSON, a `CallboardNumber` by its text.
 * @param {any} value
 * @param {number} [space]
 * @returns {string}
 */
declare function stringifyJSON(value: any, space?: number | undefined): string;
/**
 * A number that JavaScript's own would change, such as `653247040368672768`, `10.00` or `1E400`: its text is what came.
 *
 * It counts as the nearest double, `String(it)` is its text, and written as JSON it is as it was.
 */
declare class CallboardNumber extends Number {
    /** @param {string} text As JSON has it. */
    constructor(text: string);
    toString(): string;
    /** As the browser's own `JSON.stringify` wants it, where it can write a number by its digits. */
    toJSON(): any;
    #private;
}
/** What is shown ahead of the server: functions over the published sections, each until its changeset arrives. */
declare class Overlays {
    /** @param {() => void} changed Called where an overlay comes or goes without a new version. */
    constructor(changed: () => void);
    /**
     * The sections with everything on top; the same array until something changes.
     * @param {Section[]} sections
     */
    over(sections: Section[]): Section[];
    /**
     * @param {(sections: Section[]) => Section[]} change
     * @param {Promise<any>} outcome
     * @param {{version: number, epoch: string, sections: Section[]}} list
     */
    add(change: (sections: Section[]) => Section[], outcome: Promise<any>, list: {
        version: number;
        epoch: string;
        sections: Section[];
    }): void;
    /**
     * Drops what a new version carries; the caller tells of it.
     * @param {{version: number, epoch: string}} list
     * @param {string[]} [causes]
     */
    settle(list: {
        version: number;
        epoch: string;
    }, causes?: string[] | undefined): void;
    #private;
}
export type Overlay = {
    change: (sections: Section[]) => Section[];
    /**
     * What changesets name the mutation by.
     */
    cause: string | undefined;
    /**
     * The version that has it in; Infinity until the server has said so.
     */
    version: number;
    /**
     * The life of the list at which it was made.
     */
    epoch: string;
};
/**
 * Reads an event stream piece by piece, wherever the pieces are cut (WHATWG HTML, section 9.2.6).
 *
 * Each byte is looked at once, however long a line is. The last event id is not kept: a list's own epoch and version
 * say where it is to go on.
 */
declare class EventParser {
    /** @param {number} [limit] The longest line and the most data of one event, in UTF-16 code units. */
    constructor(limit?: number | undefined);
    /**
     * The pause before the next connection that the stream asks for, in milliseconds.
     * @type {number | undefined}
     */
    retry: number | undefined;
    limit: number;
    /**
     * Takes the next bytes, and returns the events that they complete.
     * @param {Uint8Array} bytes
     * @returns {StreamEvent[]}
     */
    push(bytes: Uint8Array): StreamEvent[];
    #private;
}
/**
 * Shows a list in a node and keeps it up to date, at most once a frame. Values are given to the functions as they are,
 * and by default shown as text, never as HTML.
 *
 * A row keeps its node for as long as its element is in the list, wherever it moves. A frame costs what has changed in
 * it: what is the same object as before is passed over.
 *
 * @param {List} list A list that is not sparse.
 * @param {globalThis.Element} container
 * @param {RenderOptions} [options]
 * @returns {{update: () => void, stop: () => void}} `update` draws at once; `stop` leaves the nodes as they are.
 */
declare function render(list: List, container: globalThis.Element, options?: RenderOptions | undefined): {
    update: () => void;
    stop: () => void;
};
export type Row = Entry<Element>;
export type RenderOptions = {
    /**
     * Makes a row of an element and its cell's name. It is called again with the row's node when the element is updated:
     * it changes that node and returns it, or returns another one that takes its place.
     */
    element?: ((element: Element, cell: string | undefined, node?: globalThis.Element) => globalThis.Element) | undefined;
    /**
     * Makes the node of a section, and says which node in it takes the rows; called again when the section is updated.
     */
    section?: ((section: Section, node?: globalThis.Element) => {
        node: globalThis.Element;
        rows: globalThis.Element;
    }) | undefined;
    /**
     * Whether rows glide; never where the user prefers reduced motion.
     */
    motion?: boolean | undefined;
    /**
     * Called after each state that was drawn.
     */
    shown?: ((state: ListState) => void) | undefined;
    /**
     * Told what one of the functions has thrown, once
     * for each row and section until it is drawn: its identifier stands there, and the others are drawn. Unless given, the
     * console is told.
     */
    onError?: ((error: unknown, item: Element | Section) => void) | undefined;
};
export type View = Entry<Section> & {
    rows: Row[];
    body: globalThis.Element;
};
/**
 * A selection as a query.
 * @param {Selection} selection
 */
declare function selectionQuery({ where, sortBy, limit, parameters }: Selection): URLSearchParams;
/**
 * The part of a list that is followed, and its order; the parameters of a view. The server filters
 *   and sorts, and keeps it up.
 */
export type Selection = {
    /**
     * An expression of JSON Logic over `value`, `model`, `id`, `section` and `variables`: the elements of
     * which it is true.
     */
    where?: any;
    /**
     * The order, by
     * expressions.
     */
    sortBy?: {
        key: any;
        order?: "ascending" | "descending" | undefined;
        collation?: "natural" | "scalars" | undefined;
    }[] | undefined;
    /**
     * How many elements at most.
     */
    limit?: number | undefined;
    /**
     * Values of a view's parameters; not together with the others.
     */
    parameters?: Record<string, string | number | boolean> | undefined;
};
/**
 * Lets the pages of one origin share a stream: the page that holds a Web Lock has it and passes on what comes. When it
 * goes, the browser gives the lock to another one, whose stream goes on where its own lists are.
 *
 * A page that the browser freezes lets the lock go: it may still answer, but nothing of a stream comes to it. A page that
 * hears nothing from the holder takes the lock from it; one that nobody sees waits longer. A holder whose lock is gone
 * closes its stream, and follows.
 */
declare class Share {
    /**
     * @param {string} name
     * @param {Hub} hub
     */
    constructor(name: string, hub: Hub);
    /** Whether this page has the stream. */
    leads: boolean;
    /**
     * Has the holder keep lists for this page, and send those that are not at these positions.
     * @param {() => [string, string][]} lists Asked when the holder is told: the lists may have come by then.
     */
    want(lists: () => [string, string][]): void;
    /** @param {string} name */
    leave(name: string): void;
    /**
     * @param {string} type
     * @param {object} [more]
     */
    tell(type: string, more?: object | undefined): void;
    /** Lets the lock go, so that another page takes the stream over. */
    close(): void;
    #private;
}
/**
 * One connection by `fetch`: the token goes into a header, and a refusal can be read. Returns when the server closes it.
 * @param {Opening} opening
 */
declare function readWithFetch({ transport, path, query, position, signal, onEvents }: Opening): Promise<void>;
/**
 * One connection by `EventSource`, with the session's cookie, or with a ticket where there is a token.
 *
 * The browser's own reconnecting is not used: a ticket is spent by then, and the list knows best where to go on.
 * @param {Opening} opening
 */
declare function readWithEventSource({ transport, path, query, directors, position, signal, onEvents }: Opening): Promise<void>;
/**
 * How a stream is asked for, and who hears of it.
 */
export type Opening = {
    transport: Transport;
    path: string;
    query: URLSearchParams;
    directors: string[];
    /**
     * The id after which it goes on; empty for a snapshot.
     */
    position: string;
    /**
     * Ends it.
     */
    signal: AbortSignal;
    /**
     * Called with none, too, where
     * something has come that says no more than that the connection works.
     */
    onEvents: (events: StreamEvent[], retry?: number) => void;
};
/**
 * A list of which only the rows are loaded that somebody looks at.
 *
 * Each section knows its length. `load` brings rows; those that were looked at longest ago, farthest away, are forgotten
 * once a section holds more than `limit`.
 * @template [Value=any] What the elements' values are.
 * @extends {List<Value>}
 */
declare class SparseList<Value = any> extends List<Value> {
    /** How many rows of a section may stay loaded. */
    limit: number;
    /**
     * The element there, or undefined where it is not loaded.
     * @param {number} section
     * @param {number} index
     * @returns {Element<Value> | undefined}
     */
    at(section: number, index: number): Element<Value> | undefined;
    /**
     * Loads the rows of a part of a section, unless they are there or on their way. The list tells of them with `loaded`.
     *
     * What is wanted while the list keeps changing is gathered, and asked for twice a second.
     * @param {number} section
     * @param {number} from
     * @param {number} end
     * @returns {Promise<void>}
     */
    load(section: number, from: number, end: number): Promise<void>;
    #private;
}
/**
 * The first index for which something holds that holds for all after it; `length` where it does for none.
 * @param {number} length
 * @param {(index: number) => boolean} holds
 */
declare function firstIndex(length: number, holds: (index: number) => boolean): number;
/** Stands where an element will be once its window is loaded, and moves with its neighbours until then. */
declare class Awaited {
    /** Whether the server was asked for it. */
    isAsked: boolean;
}
/**
 * The elements of a section of which only some are loaded: a length, and what is known with its position.
 *
 * Holes need no memory, and a change costs what is loaded, not what there is.
 */
declare class SparseElements {
    /** @param {Element[]} elements */
    static of(elements: Element[]): SparseElements;
    /** @param {number} length */
    constructor(length: number);
    length: number;
    /** How many elements are loaded or awaited. */
    get loaded(): number;
    /**
     * The element there, or undefined where it is not loaded.
     * @param {number} index
     * @returns {Element | undefined}
     */
    at(index: number): Element | undefined;
    /** A copy. */
    slice(): SparseElements;
    /**
     * As an array's.
     * @param {number} index
     * @param {number} count 0 or 1.
     * @param {...(Element | Awaited | undefined)} arriving At most one; undefined is a hole.
     */
    splice(index: number, count: number, ...arriving: (Element | Awaited | undefined)[]): void;
    /**
     * As an array's, for what is loaded.
     * @param {(element: Element, index: number) => Element} change
     */
    map(change: (element: Element, index: number) => Element): SparseElements;
    /**
     * As an array's; what is not loaded is kept.
     * @param {(element: Element, index: number) => unknown} keeps
     */
    filter(keeps: (element: Element, index: number) => unknown): SparseElements;
    /**
     * Where rows are awaited that nobody has asked for: ranges of at most so many. They count as asked for then.
     * @param {number} size
     */
    ask(size: number): [number, number][];
    /**
     * Puts elements where they were awaited; takes the rest of what was awaited back to holes.
     * @param {Map<object | false, Element | undefined>} found
     * @returns {boolean} Whether anything was.
     */
    fill(found: Map<object | false, Element | undefined>): boolean;
    /**
     * Forgets what is farthest from a position until at most so many are left.
     * @param {number} limit
     * @param {number} near
     */
    trim(limit: number, near: number): void;
    #private;
}
declare function isSeen(): boolean;
/** Keeps a stream open: makes connections, one after the other, and waits in between as the server asks. */
declare class Stream {
    /** @param {StreamOptions} options */
    constructor(options: StreamOptions);
    /** Makes another connection at once, since what it is to carry has changed. */
    restart(): void;
    /** Ends the stream for good. */
    close(): void;
    /**
     * Finds out whether the server can be had where a stream that works has fallen silent; called again and again while somebody sees
     * what it brings. Heartbeats that come often do without.
     */
    check(): void;
    #private;
}
export type StreamOptions = {
    transport: Transport;
    /**
     * What makes one connection.
     */
    read: (opening: Opening) => Promise<void>;
    /**
     * Asked before each
     * connection: what it is to carry, and where to go on.
     */
    opening: () => Pick<Opening, "path" | "query" | "directors" | "position">;
    onEvents: (events: StreamEvent[]) => void;
    onStatus: (status: Status, error?: CallboardError) => void;
    /**
     * Told of what another attempt does not
     * mend; true has another made all the same, since something else is asked for now.
     */
    onRefusal: (error: CallboardError) => boolean | Promise<boolean>;
    /**
     * After so many milliseconds without a byte a connection counts as dead, also where heartbeats come
     * more seldom.
     */
    silence: number;
};
/** The members of a value that may be its title, the likeliest first. */
declare const titles: string[];
/**
 * Keeps the token of a client, and asks for the next one before it ends, or when the server does not take it any more.
 */
declare class TokenSource {
    /** @param {Token | (() => Token | Promise<Token>) | undefined} source */
    constructor(source: Token | (() => Token | Promise<Token>) | undefined);
    /** Whether there may be another token than the one that was refused. */
    get canRenew(): boolean;
    /** How long the token is good for before the next one is to be asked for, in milliseconds. */
    get remaining(): number;
    /**
     * The token for a request; undefined where there is none.
     * @param {string} [refused] A token that the server does not take.
     * @returns {Promise<string | undefined>}
     */
    get(refused?: string | undefined): Promise<string | undefined>;
    #private;
}
/**
 * A token, and when it ends if not a JWT.
 */
export type Token = string | {
    token: string;
    expiresAt?: string | number | Date;
};
/**
 * A random part of a time between half and all of it, so that clients that were cut off together do not come back so.
 * @param {number} milliseconds
 */
declare function jittered(milliseconds: number): number;
/**
 * Resolves after a time, or as soon as the signal is aborted.
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
declare function pause(milliseconds: number, signal?: AbortSignal | undefined): Promise<void>;
/** Sends requests with the token, renews it when it is refused, and tells what went wrong as a `CallboardError`. */
declare class Transport {
    /**
     * @param {string} url The server's address.
     * @param {TokenSource} tokens
     * @param {typeof fetch} send
     * @param {RequestCredentials} credentials Whether cookies go to another origin.
     */
    constructor(url: string, tokens: TokenSource, send: typeof fetch, credentials: RequestCredentials);
    url: string;
    tokens: TokenSource;
    fetch: typeof fetch;
    credentials: RequestCredentials;
    /**
     * The answer of the server, which is a success.
     *
     * A request that cannot do anything twice is sent again where the network or the server fails for a moment.
     * @param {string} method
     * @param {string} path Begins behind `/v1`; its segments are escaped.
     * @param {CallOptions} [options]
     * @returns {Promise<Response>}
     */
    call(method: string, path: string, options?: CallOptions | undefined): Promise<Response>;
    /**
     * As `call`, but once; only a token that is refused is renewed.
     * @param {string} method
     * @param {string} path
     * @param {CallOptions} options
     */
    open(method: string, path: string, { query, body, headers, signal }?: CallOptions): Promise<Response>;
    /**
     * @param {string} path
     * @param {CallOptions["query"]} [query]
     */
    address(path: string, query?: CallOptions["query"]): string;
}
export type CallOptions = {
    /**
     * Members that are undefined are left out.
     */
    query?: URLSearchParams | Record<string, string | number | boolean | undefined> | undefined;
    /**
     * What is sent as JSON.
     */
    body?: unknown;
    headers?: Record<string, string | undefined> | undefined;
    signal?: AbortSignal | undefined;
};
/**
 * Any JSON.
 *
 * Each shape that has elements is generic over their values, any JSON unless somebody says what they are.
 */
export type JSONValue = unknown;
/**
 * A published element. Its members are read-only: copies of different versions share it.
 */
export type Element<Value = any> = {
    /**
     * Its identifier, unique only where the director's values make it so.
     */
    id: string;
    /**
     * The model that it is of.
     */
    model?: string | undefined;
    /**
     * Its value, any JSON.
     */
    value: Value;
    /**
     * The row that it comes from, in a section of rows.
     */
    row?: string | undefined;
    /**
     * The cell of a row.
     */
    cell?: string | undefined;
    /**
     * The height of a row.
     */
    height?: number | undefined;
    /**
     * What a row's `additionalConfig` came to.
     */
    config?: Record<string, any> | undefined;
};
/**
 * What an array and the holes of a sparse list have in common.
 */
export type Elements = {
    /**
     * How many elements there are, loaded or not.
     */
    length: number;
    /**
     * The element there; undefined where it is not loaded.
     */
    at: (index: number) => Element | undefined;
};
/**
 * A published section.
 */
export type Section<Value = any> = {
    /**
     * Its identifier.
     */
    id: string;
    /**
     * The header's title.
     */
    headerTitle?: string | null | undefined;
    /**
     * The footer's title.
     */
    footerTitle?: string | null | undefined;
    /**
     * The header's view.
     */
    headerView?: string | null | undefined;
    /**
     * The footer's view.
     */
    footerView?: string | null | undefined;
    /**
     * Its title in the index.
     */
    indexTitle?: string | null | undefined;
    /**
     * Its elements; of a sparse list a `SparseElements`.
     */
    elements: Element<Value>[];
};
/**
 * A section's and an element's position.
 */
export type IndexPath = [number, number];
/**
 * One stage of a changeset.
 */
export type Stage = {
    elementUpdated?: {
        at: IndexPath;
        element: Element;
    }[] | undefined;
    sectionDeleted?: number[] | undefined;
    elementDeleted?: IndexPath[] | undefined;
    sectionInserted?: {
        at: number;
        section: Section;
    }[] | undefined;
    sectionMoved?: {
        from: number;
        to: number;
    }[] | undefined;
    elementInserted?: {
        at: IndexPath;
        element: Element;
    }[] | undefined;
    elementMoved?: {
        from: IndexPath;
        to: IndexPath;
    }[] | undefined;
    sectionUpdated?: {
        at: number;
        section: Section;
    }[] | undefined;
};
export type Counts = {
    sections: number;
    elements: number;
};
/**
 * The difference between two published versions.
 */
export type Changeset = {
    director: string;
    epoch: string;
    from: number;
    version: number;
    stages: Stage[];
    replaced?: {
        at: IndexPath;
        element: Element;
    }[] | undefined;
    counts?: Counts | undefined;
    animations?: Record<string, string> | undefined;
    /**
     * The totals of a view, all of them, where they have changed.
     */
    totals?: Record<string, any> | undefined;
    /**
     * The causes of the mutations that it shows first, where the server names them.
     */
    causes?: string[] | undefined;
};
/**
 * What a row shows: texts that may be
 *  empty, or an adapter's templates for them.
 */
export type RowParts = {
    title: string;
    subtitle: string;
    image: string;
    badge: string;
    trailing: string;
};
/**
 * What a director is: properties, adapters and the rest of what a snapshot says of it.
 */
export type Definition = {
    director: string;
    kind?: string | undefined;
    properties?: Record<string, any> | undefined;
    /**
     * The totals of a view by name, of the version that the list is at: a number or null, of a total
     * by section an object by the sections' identifiers.
     */
    totals?: Record<string, any> | undefined;
    adapters?: {
        model: string;
        cell: string;
        reuseIdentifier?: string | undefined;
        unique?: boolean | undefined;
        preview?: Partial<RowParts> | undefined;
    }[] | undefined;
};
export type Snapshot = Definition & {
    epoch: string;
    version: number;
    sections: (Section & {
        count?: number;
    })[];
    counts?: Counts;
    reset?: string;
};
/**
 * An element to bring into view: whoever shows another version finds it by its identifiers.
 */
export type Scroll = {
    version: number;
    indexPath: IndexPath;
    section: string;
    element: string;
    /**
     * Where in what is visible; `none` is the nearest place.
     */
    position: "none" | "top" | "middle" | "bottom";
    animated: boolean;
};
/**
 * One event of the stream, its data still text.
 */
export type StreamEvent = {
    event: string;
    data: string;
};
/**
 * Where a list stands: its stream is being
 * opened, running, to be opened again after a pause, ended since the director is gone, or given up with an error.
 */
export type Status = "connecting" | "live" | "waiting" | "over" | "failed";
/**
 * What a list holds at one moment; a new object for every change.
 */
export type ListState<Value = any> = {
    status: Status;
    epoch: string;
    /**
     * -1 before the first snapshot.
     */
    version: number;
    /**
     * What is to be shown: the published sections with what is shown ahead of time.
     */
    sections: Section<Value>[];
    definition: Definition | undefined;
    /**
     * Why the list has failed.
     */
    error: Error | undefined;
};
/**
 * What a list can begin with: a state of
 *   `getSnapshot()` that was written down where the list was followed before.
 */
export type KeptState<Value = any> = Pick<ListState<Value>, "epoch" | "version" | "sections" | "definition">;
/** What a list tells, by the names of its events. */
interface List<Value = any> {
    addEventListener(type: "snapshot" | "change" | "loaded" | "shown" | "resumed" | "refresh" | "scroll" | "definition" | "end" | "status" | "mismatch",
        listener: (this: List<Value>, event: ListEvent) => void, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
}
export {
  Callboard, CallboardError, CallboardNumber, EventParser, List, ListEvent, Mismatch, SparseElements, SparseList, apply,
  parseJSON, render, stringifyJSON };
