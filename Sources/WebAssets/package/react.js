/** Hooks for React 18 and later, on `useSyncExternalStore`: what components render is of one version of a list. */
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { begin } from "./state.js";

/** The lists that components follow now, by their boards and then by name and selection. */
const boards = new WeakMap();

/**
 * The state of a director's published list, which is followed while a component is there. Components that name the same
 * board, name and selection share the list, and so does whoever calls `board.follow`.
 *
 * `from` is what is rendered on a server and while that page is taken over, and what the list begins with.
 */
export function useCallboard(board, name, { from, ...selection } = {}) {
  const key = JSON.stringify([name, selection]);
  const subscribe = useCallback(listener => {
    const leave = join(board, key, () => board.follow(name, { ...selection, from }));
    const stop = found(board, key).subscribe(listener);
    return () => {
      stop();
      leave();
    };
  }, [board, key]);
  // Before there is a list a component shows what it was given first: a state that is another object is another state.
  const first = useMemo(() => begin(from), [board, key]);
  return useSyncExternalStore(subscribe, () => found(board, key)?.getSnapshot() ?? first, () => first);
}

/** The state of a list that somebody else follows and closes; `from` is the state that a server has rendered of it. */
export function useList(list, from) {
  const subscribe = useCallback(listener => list.subscribe(listener), [list]);
  const first = useMemo(() => from ? begin(from) : list.getSnapshot(), [list]);
  return useSyncExternalStore(subscribe, () => list.getSnapshot(), () => first);
}

const found = (board, key) => boards.get(board)?.get(key)?.list;

/** Counts one more component that follows a list; returns what takes it back, and closes the list after the last one. */
function join(board, key, follow) {
  if (!boards.has(board)) boards.set(board, new Map());
  const lists = boards.get(board), entry = lists.get(key) ?? { list: follow(), uses: 0 };
  lists.set(key, entry);
  entry.uses++;
  return () => {
    if (--entry.uses) return;
    lists.delete(key);
    entry.list.close();
  };
}
