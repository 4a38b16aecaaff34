/**
 * The console's pages, in the order of the navigation: `{ id, path, title, key, parent, show }`.
 *
 * `path` may have parameters (`/lists/:name`). `title` is a text or a function of the address. `key` is the second key
 * of the shortcut `g …`. A page with a `parent` is reached from that page and is not in the navigation.
 */
import { showAccess } from "./page-access.js";
import { showChangesets, showChangesetsOfLists } from "./page-changesets.js";
import { showDeliveries, showDelivery } from "./page-deliveries.js";
import { showHook } from "./page-hook.js";
import { showHooks } from "./page-hooks.js";
import { showList } from "./page-list.js";
import { showLists } from "./page-lists.js";
import { showServer } from "./page-server.js";
import { showStreams } from "./page-streams.js";

export const pages = [
  { id: "lists", path: "/", title: "Lists", key: "l", show: showLists },
  { id: "list", path: "/lists/:name", title: ({ params }) => params.name, parent: "lists", show: showList },
  { id: "changesets", path: "/changesets", title: "Changesets", key: "c", show: showChangesetsOfLists },
  { id: "versions", path: "/changesets/:name", title: ({ params }) => `Changesets of ${params.name}`, parent: "changesets", show: showChangesets },
  { id: "hooks", path: "/hooks", title: "Hooks", key: "h", show: showHooks },
  { id: "hook", path: "/hook", title: "Hook", parent: "hooks", show: showHook },
  { id: "deliveries", path: "/deliveries", title: "Deliveries", key: "d", show: showDeliveries },
  { id: "delivery", path: "/deliveries/:id", title: "Delivery", parent: "deliveries", show: showDelivery },
  { id: "streams", path: "/streams", title: "Streams", key: "t", show: showStreams },
  { id: "server", path: "/server", title: "Server", key: "s", show: showServer },
  { id: "access", path: "/access", title: "Access", key: "a", show: showAccess },
];
