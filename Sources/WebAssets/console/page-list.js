import { action, curlLine, problemLine } from "./action.js";
import { AdaptersPanel } from "./adapters.js";
import { awaitList, showNoList, showUnreadable } from "./await-list.js";
import { drafts } from "./drafts.js";
import { address, announce, count, fill, h, number, skeleton, text } from "./dom.js";
import { Finder, placesOf } from "./find-element.js";
import { Inspector } from "./inspector.js";
import { ListView } from "./list-view.js";
import { PastOfPage } from "./page-past.js";
import { Pending } from "./pending.js";
import { directorPath, isConstantRow, moveRequest, neighbour } from "./places.js";
import { sampleLine } from "./sample.js";
import { SectionsPanel } from "./sections.js";
import { taken } from "./parts.js";
import { usePreviews } from "./previews.js";
import { readElement } from "./read-element.js";
import { toast } from "./toasts.js";
import { elementMoved } from "./undo.js";
import { VariablesPanel } from "./variables.js";
import { viewing, ViewPanel } from "./view-panel.js";

/** How often the director is asked for, in milliseconds: its working state has no stream. */
const pace = 2000;
/** A list of more elements is loaded where it is looked at only. */
const wholeAtMost = 2000;
/** How long after a change the rest of the page follows, in milliseconds. */
const rest = 300;
const heardOf = ["snapshot", "change", "loaded", "status", "mismatch"];

/** The page of one list. */
export async function showList(context) {
  const { address: { params: { name } }, main, api, signal } = context;
  if (showUnreadable(context, name)) return undefined;
  fill(main, skeleton(6));
  const director = await api.get(directorPath(name), { signal }).then(({ body }) => body, error => {
    if (error.status !== 404) throw error;
  });
  if (signal.aborted) return undefined;
  if (!director) return showNoList(context, name, () => context.go(address`/lists/${name}` + (context.address.query.has("publish") ? "?publish" : "")));
  fill(main);
  const page = new ListPage(context, director);
  return () => page.stop();
}

class ListPage {
  /** What the director is, once everything that hangs on it is shown. */
  #director;
  #tellRead;
  #isRead = new Promise(resolve => this.#tellRead = resolve);
  #again;

  constructor(context, director) {
    const { name } = director;
    usePreviews([]);
    Object.assign(this, { context, counts: director.counts });
    this.list = context.board.follow(name, { sparse: director.counts.elements > wholeAtMost });
    this.isSparse = director.counts.elements > wholeAtMost;
    this.isView = !!director.view;
    this.canEdit = !this.isView && context.session.may("mutate", name);
    /** What the parts of the page are given: of a view, nothing of the list can be changed. */
    const within = this.isView ? Object.create(context, { session: { value: viewing(context.session) } }) : context;
    const changed = () => this.#changed(), list = this.list, reloads = () => this.publishes.checked;
    this.view = this.#makeView();
    this.publishes = h("input", { type: "checkbox", id: "publishes", onchange: () => this.#keepAddress() });
    this.publishes.checked = context.address.query.has("publish");
    this.inspector = new Inspector(within, { list, reloads, changed, move: step => this.#step(step), back: () => this.view.focus(),
      goTo: selection => this.view.selectElement(selection) });
    this.sections = new SectionsPanel(within, { list, reloads, changed });
    this.adapters = new AdaptersPanel(within, { list, changed, looks: () => [this.view, this.pending, this.past].forEach(each => each?.redraw()) });
    this.variables = new VariablesPanel(within, { list, reloads, changed });
    this.about = this.isView ? new ViewPanel(context, { name, changed }) : undefined;
    this.pending = this.canEdit ? new Pending(context, { list, view: this.view, changed }) : undefined;
    this.finder = new Finder(context, { name, goTo: path => this.#goTo(path) });
    this.past = new PastOfPage(within, this.list, () => this.#keepAddress());
    this.#frame(director);
    this.#listen();
    this.#again = context.live(() => this.#poll(), pace);
    context.shortcut("r", "Reload the list", () => !this.past.isShown && this.pending && !this.pending.reload.button.disabled && this.pending.reload.run());
    context.shortcut("a", "Add an element", () => this.canEdit && !this.past.isShown && this.#add());
    context.shortcut("l", "Go to the published list", () => this.past.isShown ? this.past.focus() : this.view.focus());
    context.shortcut("v", "Show the list's earlier versions, or no longer", () => this.past.toggle());
    context.offer(typed => this.#elements(typed));
    this.list.ready.then(() => {
      if (context.signal.aborted) return;
      this.inspector.takeUp();
      this.past.takeUp();
    }, () => {});
  }

  stop() {
    clearTimeout(this.timer);
    this.view.stop();
    this.past.stop();
    for (const type of heardOf) this.list.removeEventListener(type, this.heard);
    this.list.close();
  }

  #makeView() {
    return new ListView(this.list, { isSparse: this.isSparse, canEdit: this.canEdit, label: `Published list ${this.list.name}`, does: {
      selected: selection => this.inspector.select(selection),
      open: () => this.inspector.focus(),
      tap: () => this.inspector.tapping.run(),
      remove: () => this.inspector.remove(),
      keeps: () => this.inspector.isDirty,
      move: (from, to) => this.#move(from, to),
    } });
  }

  #frame({ name, kind }) {
    const { context } = this;
    this.status = h("span", { class: "status", role: "status" });
    this.version = h("span", { class: "muted at-version" });
    this.facts = h("span", { class: "muted" });
    this.gone = h("div", { class: "problem", role: "alert", hidden: true }, h("strong", null, "This list was deleted"), ". What is shown is its last version.");
    this.outcome = problemLine();
    this.moveCommand = curlLine(context);
    this.moveCommand.node.hidden = true;
    const { session } = context;
    const deletion = taken(session, "define", "delete this list", name) ?? (session.may("define", name) && action(context, { label: "Delete", name: "Delete the list",
      danger: () => `The list “${name}” with ${count(this.counts.elements, "element")}, its adapters and its hooks is deleted. Its streams end. This cannot be taken back.`,
      request: () => ({ method: "DELETE", path: directorPath(name) }), done: () => {
        drafts.drop("element", name);
        context.go("/");
      } }));
    const adding = this.canEdit && h("button", { type: "button", onclick: () => this.#add() }, "Add an element");
    const publishing = this.canEdit && h("span", { class: "field check" }, this.publishes, h("label", { for: "publishes" }, "Reload with each change"));
    const now = h("div", null, this.finder.node, this.view.node, this.outcome.node, this.moveCommand.node);
    const shown = h("section", { class: "published", "aria-label": "Published list" },
      h("div", { class: "bar" }, h("h2", null, "Published"), this.status, this.version, this.past.button), this.past.node, now, this.past.view);
    shown.classList.add(`kind-${kind}`);
    const changing = h("div", { class: "bar" }, publishing, adding, deletion);
    const beside = [h("div", { class: "beside" },
      this.pending?.node ?? (!this.isView && taken(session, "mutate", "change this list or reload it", name)), this.inspector.node),
    h("div", { class: "beside" }, this.about?.node ?? this.variables.node, this.adapters.node, this.sections.node)];
    Object.assign(this.past, { replaces: [now, ...beside], changing });
    context.main.append(this.gone, sampleLine(context, name) ?? "", h("div", { class: "bar top" }, this.facts, h("div", { class: "push" }, changing)),
      h("div", { class: "list-page" }, shown, beside, this.past.beside));
  }

  #listen() {
    this.heard = event => {
      this.#drawStatus();
      this.past.hear(event);
      this.pending?.redraw();
      if (event.type === "status") this.#mayHaveEnded();
      if (event.type === "change" || event.type === "snapshot") this.#soon();
    };
    for (const type of heardOf) this.list.addEventListener(type, this.heard);
    this.#drawStatus();
    this.#mayHaveEnded();
  }

  /** Says why the stream is over. Where the list may not be read any more, the page is shown anew, and says that. */
  async #mayHaveEnded() {
    const { status, error, name } = this.list, { context } = this;
    if (status !== "over" && status !== "failed") return;
    this.hasEnded = true;
    if (status === "failed") await context.check();
    if (context.signal.aborted) return;
    const isGone = status === "over" || error?.status === 404;
    this.gone.hidden = !isGone;
    if (!isGone) return context.fail(error);
    awaitList(context, name, () => context.go(this.#address));
  }

  /** Looks a little later, once for many changes. */
  #soon() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.#again();
    }, rest);
  }

  #drawStatus() {
    const { status, version } = this.list;
    const words = { connecting: "connecting…", live: "live", waiting: "not connected; trying again", over: "this list was deleted", failed: "stopped" };
    text(this.status, words[status]);
    text(this.version, version >= 0 ? `version ${number(version)}` : "");
    this.status.dataset.status = status;
  }

  async #poll() {
    if (this.hasEnded) return;
    const director = await this.#read();
    if (!director) return;
    const { kind, counts, revision, epoch } = director;
    text(this.facts, [kind, count(counts.sections, "section"), count(counts.elements, "element"), `revision ${number(revision)}`].join(" · "));
    this.counts = counts;
    await this.about?.update(director);
    // What a view shows has the version of its source; its revision is that of its definition.
    const isOther = this.#director?.revision !== revision || this.#director?.epoch !== epoch
      || this.isView && this.#director?.version !== director.version;
    await this.pending?.update(director);
    if (isOther || this.inspector.isUnread) await Promise.all([this.sections.update(), this.adapters.update(), this.variables.update(), this.inspector.refresh()]);
    this.#director = director;
    this.#tellRead();
  }

  /** What the director is; undefined where it is gone, which its stream tells. */
  async #read() {
    try {
      return (await this.context.api.get(directorPath(this.list.name), { signal: this.context.signal })).body;
    } catch (error) {
      if (error.status !== 404 || this.isMissing) throw error;
      this.isMissing = true;
      return undefined;
    }
  }

  /** Something was changed here: looks at once. */
  #changed() {
    this.#again();
  }

  #keepAddress() {
    this.context.replace(this.#address);
  }

  get #address() {
    return [address`/lists/${this.list.name}`, [this.publishes.checked && "publish", this.past.query].filter(Boolean).join("&")].filter(Boolean).join("?");
  }

  /** The published elements of an identifier, for the palette. */
  async #elements(id) {
    if (!id) return [];
    const places = await placesOf(this.context, this.list.name, id);
    return places.map(({ section, indexPath }) => ({ title: id, kind: `Element of ${section}`, does: () => this.#goTo(indexPath) }));
  }

  #goTo(path) {
    this.past.leave();
    this.view.focus();
    this.view.goTo(path);
  }

  async #add() {
    await this.#isRead;
    // The key may have been pressed again meanwhile.
    if (this.context.signal.aborted || document.querySelector("dialog[open]")) return;
    this.sections.addElement({ adapters: this.adapters.adapters, selection: this.view.selection });
  }

  #step(step) {
    const { selection } = this.view;
    if (!selection?.path) return announce("The row is out of sight.");
    const to = neighbour(this.list, selection.path, step);
    if (to) this.#move(selection.path, to);
    else announce(step < 0 ? "It is the first one already." : "It is the last one already.");
  }

  /** Where an element is in the working state; undefined where it could not be put back there. */
  async #whereIs([section, index]) {
    const holder = this.list.sections[section], element = holder.elements.at(index);
    if (isConstantRow(element)) return undefined;
    return readElement(this.context, this.list, { element, section: holder }).then(({ body }) => body, () => undefined);
  }

  async #move(from, to) {
    this.outcome.clear();
    try {
      const request = moveRequest(this.list, from, to);
      if (this.publishes.checked) request.query = { reload: true };
      this.moveCommand.update(request);
      const before = await this.#whereIs(from);
      await this.context.api.send(request);
      this.#changed();
      const done = before && await elementMoved(this.context, { list: this.list, before, query: request.query, changed: () => this.#changed() });
      if (done) toast(done);
      else announce("Moved");
    } catch (error) {
      this.outcome.show(error);
    }
  }
}
