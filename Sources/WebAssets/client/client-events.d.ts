/** What a list tells, by the names of its events. */
interface List<Value = any> {
    addEventListener(type: "snapshot" | "change" | "loaded" | "shown" | "resumed" | "refresh" | "scroll" | "definition" | "end" | "status" | "mismatch",
        listener: (this: List<Value>, event: ListEvent) => void, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
}
