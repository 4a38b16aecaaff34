/**
 * The console's pages, in the order of the navigation: `{ id, path, title, key, parent, show }`.
 *
 * `path` may have parameters (`/lists/:name`). `title` is a text or a function of the address; `tab` is what of the titled is
 * shown. `key` is the second key of the shortcut `g …`. A page with a `parent` is reached from that page and is not in the
 * navigation. An earlier address has `to(address)` alone, which gives the one that it leads to.
 */
import { listPages } from "./list-tabs.js";
import { showAccess } from "./page-access.js";
import { showDeliveries, showDelivery } from "./page-deliveries.js";
import { showHook } from "./page-hook.js";
import { showHooks } from "./page-hooks.js";
import { showLists } from "./page-lists.js";
import { showServer } from "./page-server.js";
import { showStreams } from "./page-streams.js";
import { listAddress } from "./places.js";

export const pages = [
  { id: "lists", path: "/", title: "Lists", key: "l", show: showLists },
  ...listPages,
  { id: "hooks", path: "/hooks", title: "Hooks", key: "h", show: showHooks },
  { id: "hook", path: "/hook", title: "Hook", parent: "hooks", show: showHook },
  { id: "deliveries", path: "/deliveries", title: "Deliveries", key: "d", show: showDeliveries },
  { id: "delivery", path: "/deliveries/:id", title: "Delivery", parent: "deliveries", show: showDelivery },
  { id: "streams", path: "/streams", title: "Streams", key: "t", show: showStreams },
  { id: "server", path: "/server", title: "Server", key: "s", show: showServer },
  { id: "access", path: "/access", title: "Access", key: "a", show: showAccess },
  { path: "/changesets", to: () => "/" },
  { path: "/changesets/:name", to: ({ params, query }) => listAddress(params.name, "changesets", query) },
];
