import type { Callboard, KeptState, List, ListState, Selection } from "./client.js";

/** Which part of a list is followed, and what it begins with: a state of `getSnapshot()` that was written down elsewhere. */
export type UseOptions<Value = any> = Selection & { from?: KeptState<Value> };

/**
 * The state of a director's published list, which is followed while a component is there. Components that name the same
 * board, name and selection share the list. It is `from` on a server and while its page is taken over.
 *
 *     const { sections, error } = useCallboard<Contact>(board, "contacts");
 */
export function useCallboard<Value = any>(board: Callboard, name: string, options?: UseOptions<Value>): ListState<Value>;

/** The state of a list that somebody else follows and closes; `from` is the state that a server has rendered of it. */
export function useList<Value = any>(list: List<Value>, from?: KeptState<Value>): ListState<Value>;
