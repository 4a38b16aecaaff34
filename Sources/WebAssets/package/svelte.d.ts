import type { Callboard, KeptState, ListState, Selection } from "./client.js";

/** Which part of a list is followed, and what it begins with: a state of `getSnapshot()` that was written down elsewhere. */
export type StoreOptions<Value = any> = Selection & { from?: KeptState<Value> };

/** What Svelte calls a readable store. */
export interface ListStoreOf<Value = any> {
  /** Calls `run` with the state at once and after each change; returns what ends it. */
  subscribe(run: (state: ListState<Value>) => void): () => void;
}

/**
 * A store of the state of a director's published list, which is followed while somebody subscribes.
 *
 *     const contacts = callboard<Contact>(board, "contacts");
 */
export function callboard<Value = any>(board: Callboard, name: string, options?: StoreOptions<Value>): ListStoreOf<Value>;
