import { type Element, type IndexPath, type ListState, type RowParts, type Section, type SparseList, type Token } from "./client.js";
/**
 * A list of a Callboard server, live, however long it is: `<callboard-list src="https://server" name="countries">`.
 *
 * Its attributes are `src` (the server, unless given the page's own origin), `name`, `section` (the one section to show),
 * `row-height` and `label`. It tells of `change`, `select` (`detail` has `element` and `path`) and `status` (`detail` has
 * `state`: `loading`, `live`, `stale`, `error` or `gone`); the attribute `state` says the same to style sheets.
 */
declare class CallboardList extends HTMLElement {
    static get observedAttributes(): string[];
    /**
     * The list that is followed.
     * @type {SparseList | undefined}
     */
    list: SparseList | undefined;
    set row(arg: ((element: Element<any>, cell: string | undefined, node?: globalThis.Element | undefined) => globalThis.Element) | undefined);
    /** What makes a row's content of an element, its cell's name and the node that it made before. */
    get row(): ((element: Element<any>, cell: string | undefined, node?: globalThis.Element | undefined) => globalThis.Element) | undefined;
    set token(arg: Token | (() => Token | Promise<Token>) | undefined);
    /** The token, or what gives one, as for `Callboard`. */
    get token(): Token | (() => Token | Promise<Token>) | undefined;
    connectedCallback(): void;
    disconnectedCallback(): void;
    attributeChangedCallback(): void;
    #private;
}
/**
 * Shows a sparse list in a node, however long it is: only rows in sight have nodes, and only they are loaded.
 *
 * The rows are the options of a list box. Arrow keys, Home, End and the page keys go from row to row; Enter, Space and a
 * click select one.
 *
 * @param {SparseList} list
 * @param {globalThis.Element} container What is as high as the list's window.
 * @param {VirtualOptions} [options]
 * @returns {{node: HTMLElement, reveal: (path: IndexPath) => void, stop: () => void}} `node` is what scrolls; `reveal`
 *   brings a row into sight; `stop` ends it, and takes the nodes away.
 */
declare function renderVirtual(list: SparseList, container: globalThis.Element, options?: VirtualOptions | undefined): {
    node: HTMLElement;
    reveal: (path: IndexPath) => void;
    stop: () => void;
};
/**
 * What a row shows: the parts of its preview as text, and a picture.
 * @param {Element} element
 * @param {Partial<RowParts>} [preview]
 * @param {globalThis.Element} [known]
 */
declare function previewRow(element: Element, preview?: Partial<RowParts> | undefined, known?: globalThis.Element | undefined): globalThis.Element;
export type VirtualOptions = {
    /**
     * Makes what a row shows, as the function of `render` does; unless given, a row shows what its adapter's preview says, or a
     * title and the rest of the value.
     */
    element?: ((element: Element, cell: string | undefined, node?: globalThis.Element) => globalThis.Element) | undefined;
    /**
     * The height of each row, in pixels; 44 unless given.
     */
    rowHeight?: number | undefined;
    /**
     * The name of the list for screen readers; the list's own unless given.
     */
    label?: string | undefined;
    /**
     * The identifier of the one section that is shown.
     */
    section?: string | undefined;
    /**
     * Whether rows glide; never where the user prefers reduced motion.
     */
    motion?: boolean | undefined;
    /**
     * Called when a row is clicked, or Enter or Space pressed on it.
     */
    select?: ((element: Element, path: IndexPath) => void) | undefined;
    /**
     * Called after each drawing.
     */
    shown?: ((state: ListState) => void) | undefined;
    /**
     * Told once for each row that `element` throws for; its
     * identifier stands there. Unless given, the console is told.
     */
    onError?: ((error: unknown, element: Element) => void) | undefined;
};
/** What the element tells, by the names of its events. */
interface CallboardList {
    addEventListener(type: "change", listener: (event: CustomEvent<{ version: number }>) => void, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: "select", listener: (event: CustomEvent<{ element: Element; path: IndexPath }>) => void, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: "status", listener: (event: CustomEvent<{ state: string }>) => void, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
}
declare global {
    interface HTMLElementTagNameMap {
        "callboard-list": CallboardList;
    }
}
export { CallboardList, renderVirtual };
