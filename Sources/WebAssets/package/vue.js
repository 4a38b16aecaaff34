/** Composables for Vue 3: a state is never changed, so that it is in a shallow ref. */
import { getCurrentInstance, onMounted, onScopeDispose, shallowRef, unref, watch } from "vue";
import { begin } from "./state.js";

/**
 * The state of a director's published list, which is followed while a component, or an effect scope, is there. `name` may be a
 * ref or a function; another name has another list followed.
 *
 * `from` is what is rendered on a server and while that page is taken over, and what the list begins with.
 */
export function useCallboard(board, name, { from, ...selection } = {}) {
  const state = shallowRef(begin(from));
  const wanted = () => typeof name === "function" ? name() : unref(name);
  whenThere(() => watch(wanted, (now, before, onCleanup) => {
    const list = board.follow(now, { ...selection, from: before === undefined ? from : undefined });
    const stop = list.subscribe(next => { state.value = next; });
    onCleanup(() => {
      stop();
      list.close();
    });
  }, { immediate: true }));
  return state;
}

/** The state of a list that somebody else follows and closes; `from` is the state that a server has rendered of it. */
export function useList(list, from) {
  const state = shallowRef(from ? begin(from) : list.getSnapshot());
  whenThere(() => onScopeDispose(list.subscribe(next => { state.value = next; })));
  return state;
}

/** Calls it once a component has taken the server's nodes over, and not on the server; outside a component at once. */
function whenThere(call) {
  if (getCurrentInstance()) onMounted(call);
  else call();
}
