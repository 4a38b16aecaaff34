/**
 * The console's pages, in the order of the navigation: `{ id, path, title, key, parent, show }`.
 *
 * `path` may have parameters (`/lists/:name`). `title` is a text or a function of the address; `tab` is what of the titled is
 * shown. `key` is the second key of the shortcut `g …`. A page with a `parent` is reached from that page and is not in the
 * navigation. An earlier address has `to(address)` alone, which gives the one that it leads to.
 */
import { listPages } from "./list-tabs.js";
import { showDeliveries, showDelivery } from "./page-deliveries.js";
import { showHooks } from "./page-hooks.js";
import { showLists } from "./page-lists.js";
import { showStreams } from "./page-streams.js";
import { listAddress, openLater } from "./places.js";

/** A page of `later.js`, by the name of its `show` there. */
const later = name => async context => {
  const module = await openLater();
  return context.signal.aborted ? undefined : module[name](context);
};

export const pages = [
  { id: "lists", path: "/", title: "Lists", key: "l", show: showLists },
  ...listPages,
  { id: "hooks", path: "/hooks", title: "Hooks", key: "h", show: showHooks },
  { id: "hook", path: "/hook", title: "Hook", parent: "hooks", show: later("showHook") },
  { id: "deliveries", path: "/deliveries", title: "Deliveries", key: "d", show: showDeliveries },
  { id: "delivery", path: "/deliveries/:id", title: "Delivery", parent: "deliveries", show: showDelivery },
  { id: "streams", path: "/streams", title: "Streams", key: "t", show: showStreams },
  { id: "server", path: "/server", title: "Server", key: "s", show: later("showServer") },
  { id: "access", path: "/access", title: "Access", key: "a", show: later("showAccess") },
  { path: "/changesets", to: () => "/" },
  { path: "/changesets/:name", to: ({ params, query }) => listAddress(params.name, "changesets", query) },
];
