/** Stores for Svelte, by its contract: `subscribe(run)` calls `run` at once and returns what ends it. Nothing is imported. */
import { begin } from "./state.js";

/**
 * A store of the state of a director's published list, which is followed while somebody subscribes. `from` is what a server
 * renders, and what the list begins with. A list of `board.follow` is a store as it is, which follows until it is closed.
 */
export function callboard(board, name, { from, ...selection } = {}) {
  const isServer = !globalThis.document;
  let list, uses = 0;
  return {
    subscribe(run) {
      if (isServer) {
        run(begin(from));
        return () => {};
      }
      list ??= board.follow(name, { ...selection, from });
      uses++;
      let stop = list.subscribe(run);
      return () => {
        stop?.();
        if (stop && !--uses) {
          list.close();
          list = undefined;
        }
        stop = undefined;
      };
    },
  };
}
