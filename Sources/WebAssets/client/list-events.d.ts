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
