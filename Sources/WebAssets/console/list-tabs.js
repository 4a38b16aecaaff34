/** The page of a list and its tabs, each with an address of its own. */
import { fill, h, link } from "./dom.js";
import { showChangesets } from "./page-changesets.js";
import { showDeliveries } from "./page-deliveries.js";
import { showHooks } from "./page-hooks.js";
import { showList } from "./page-list.js";
import { showStreams } from "./page-streams.js";
import { showViews } from "./page-views.js";
import { matching } from "./palette.js";
import { listAddress } from "./places.js";

/** `right` is what a tab needs besides `read`; without it, the tab is left out. */
const tabs = [
  { id: "", title: "Content", show: showList },
  { id: "changesets", title: "Changesets", show: showChangesets },
  { id: "hooks", title: "Hooks", right: "hooks", show: showHooks },
  { id: "deliveries", title: "Deliveries", right: "hooks", show: showDeliveries },
  { id: "streams", title: "Streams", right: "operate", show: showStreams },
  { id: "views", title: "Views", show: showViews },
];

/** The pages of a list as `pages.js` has them. */
export const listPages = tabs.map(tab => ({
  id: tab.id || "list", path: `/lists/:name/${tab.id}`, parent: "lists", title: ({ params }) => params.name, tab: tab.id && tab.title,
  show: context => showTab(context, tab),
}));

function showTab(context, current) {
  const { main, session, go, address: { params: { name } } } = context;
  const offered = tabs.filter(({ right }) => !right || session.may(right, right === "operate" ? undefined : name));
  const body = h("div", { class: ["page", current.id && `page-${current.id}`] });
  fill(main, h("nav", { class: "tabs", "aria-label": `Tabs of ${name}` }, h("ul", null, offered.map(({ id, title }) =>
    h("li", null, Object.assign(link(listAddress(name, id), title), id === current.id && { ariaCurrent: "page" }))))), body);
  context.offer(matching(offered.filter(tab => tab !== current).map(({ id, title }) =>
    ({ title: `${title} of ${name}`, kind: "Tab", does: () => go(listAddress(name, id)) }))));
  return current.show(Object.create(context, { main: { value: body } }));
}
