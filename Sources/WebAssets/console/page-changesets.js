import { copyButton, fill, h, link, number } from "./dom.js";
import { command } from "./action.js";
import { awaitList, showNoList, showUnreadable } from "./await-list.js";
import { ChangesetView } from "./changeset-view.js";
import { directorPath, listAddress } from "./places.js";
import { usePreviews } from "./previews.js";
import { Versions } from "./versions.js";

/** A list's versions as they come, and one changeset stage by stage. */
export async function showChangesets(context) {
  const { main, board, signal, address: { params: { name }, query } } = context;
  if (showUnreadable(context, name)) return;
  const base = directorPath(name);
  // Without them rows are guessed.
  usePreviews(await context.api.get(`${base}/adapters`, { signal }).then(({ body }) => body.adapters, () => []));
  if (signal.aborted) return;
  const versions = new Versions(context, name, span => show(span)), view = new ChangesetView(context, base), share = h("div", { class: "bar" });
  let shown;
  fill(main, h("p", { class: "note" }, "Each reload that changes the list publishes a version, and sends the changeset that leads to it."),
    h("div", { class: "changesets" }, versions.node, h("div", { class: "shown" }, share, view.node)));

  async function show({ from, to, stage }) {
    shown = { from, to };
    versions.mark(from, to);
    const place = step => listAddress(name, "changesets", { from, to, ...step !== undefined && { stage: step } });
    context.replace(place(stage));
    fill(share, link(listAddress(name, "", { version: to }), `The list at version ${number(to)}`), copyButton(() => `${location.href.split("#")[0]}#${place(view.step)}`, "Copy link"),
      copyButton(() => command(context, { method: "GET", path: `${base}/changesets`, query: { from, to } }), "Copy as curl"));
    await view.show({ from, to, stage, moved: step => context.replace(place(step)) });
  }

  // What comes while one is being drawn is passed over for the newest.
  let isDrawing = false;
  async function follow() {
    const next = versions.newest;
    if (!versions.isFollowing || isDrawing || !next || next.version === shown?.to || signal.aborted) return;
    isDrawing = true;
    await show({ from: next.from, to: next.version });
    isDrawing = false;
    follow();
  }

  const list = board.follow(name, { sparse: true });
  const heard = ({ changeset }) => {
    if (changeset) versions.add(changeset, new Date());
    if (list.status === "failed" || list.status === "over") ended(context, list);
    else follow();
  };
  for (const type of ["change", "status"]) list.addEventListener(type, heard, { signal });
  signal.addEventListener("abort", () => {
    view.stop();
    list.close();
  });
  if (!await list.ready.catch(() => {}) || signal.aborted) return;
  await versions.load(list.version);
  const first = asked(query) ?? (versions.newest && { from: versions.newest.from, to: versions.newest.version });
  if (signal.aborted || shown) return;
  if (first) show(first);
  else fill(share, h("p", null, "No version has been published yet. The first reload will be shown here."));
}

/** Says why the stream is over. Where the list may not be read any more, the page is shown anew, and says that. */
async function ended(context, { name, status, version, error }) {
  if (status === "failed") await context.check();
  if (context.signal.aborted) return;
  const isGone = status === "over" || error.status === 404, again = () => context.go(listAddress(name, "changesets"));
  if (!isGone) return context.fail(error);
  if (version < 0) return showNoList(context, name, again);
  context.main.prepend(h("p", { class: "problem", role: "alert" }, "This list was deleted. What is shown is from before."));
  awaitList(context, name, again);
}

function asked(query) {
  const [from, to, stage] = ["from", "to", "stage"].map(name => query.has(name) ? Number(query.get(name)) : undefined);
  if (to === undefined && from === undefined) return undefined;
  return { from: from ?? Math.max(0, to - 1), to: to ?? from + 1, stage };
}
