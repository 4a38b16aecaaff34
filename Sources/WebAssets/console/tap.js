/** What a phone would do with a row: reports an event, or asks a question, and shows what the hook has answered. */
import { action, field, select } from "./action.js";
import { changeLines, summaryOf } from "./changes.js";
import { announce, fill, h } from "./dom.js";
import { line } from "./json.js";
import { taken } from "./parts.js";
import { directorPath } from "./places.js";

const notifications = ["didSelect", "didDeselect", "didHighlight", "tapOnAccessory", "willDisplay", "endDisplay", "prefetch"];
const questions = ["willSelect", "rowHeight", "shouldHighlight", "canEditRow", "canMoveRow", "editStyle", "indentLevel", "shouldSelect", "itemSize"];
/** How long a delivery is waited for, in milliseconds, and how long between two looks. */
const patience = 15000, pace = 400;

export class Tap {
  /** The latest changesets of the list. */
  #changes = [];

  constructor(context, { list, selection }) {
    Object.assign(this, { context, list, selection });
    this.answer = h("div", { class: "answer", role: "status" });
    // A hook may have answered before the server has told of the delivery.
    list.addEventListener("change", ({ changeset }) => this.#changes = [...this.#changes.slice(-99), changeset]);
    this.node = h("div", { class: "tap" }, this.answer);
    if (!context.session.may("report", list.name)) {
      this.node.prepend(taken(context.session, "report", "tap this element", list.name) ?? "");
      return;
    }
    this.event = select([...notifications, ...questions], "didSelect");
    this.report = action(context, { label: "Send", name: "Send the event", request: () => this.#request(),
      done: answer => this.#told(answer.body) });
    this.tapping = action(context, { label: "Tap", request: () => this.#request("didSelect"), done: answer => this.#told(answer.body) });
    this.node.prepend(h("div", { class: "bar" }, this.tapping, h("span", { class: "push" }), field("Event", this.event), this.report));
  }

  /** Taps the selected row. */
  run() {
    this.tapping?.run();
  }

  clear() {
    fill(this.answer);
    this.waiting = undefined;
  }

  #request(event = this.event.value) {
    const { path } = this.selection();
    if (!path) throw new Error("The row is out of sight.");
    Object.assign(this, { asked: event, version: this.list.version });
    return { method: "POST", path: `${directorPath(this.list.name)}/events`, body: { event, indexPath: path, version: this.list.version } };
  }

  async #told(body) {
    const event = this.asked;
    if ("value" in body) return this.#say(h("strong", null, event), " ", h("code", null, line(body.value)), ` from the ${body.source}${body.reason ? `: ${body.reason}` : ""}`);
    if (!body.delivery) return this.#say(h("strong", null, event), " was reported. ", body.reason ?? "No hook wants to hear of it.");
    await this.#follow(event, body.delivery);
  }

  /** Waits until a delivery has come to its end, and shows what the list did meanwhile. */
  async #follow(event, id) {
    const waiting = this.waiting = {}, { version } = this;
    this.#say(h("strong", null, event), " is on its way to its hook: ", h("code", null, id));
    for (const end = Date.now() + patience; Date.now() < end;) {
      const delivery = await this.#find(id);
      // The changeset may come a little after the delivery is done.
      if (delivery === undefined) await wait(pace);
      if (this.context.signal.aborted || this.waiting !== waiting) return;
      if (delivery === null) return this.#say(h("strong", null, event), " was accepted. Whether it was delivered, the right “hooks” would tell.");
      if (!delivery) return this.#delivered(event, this.#changes.filter(each => each.version > version));
      if (delivery.lastError) return this.#say(h("strong", null, event), ` was not delivered: ${delivery.lastError}. `,
        delivery.status === "dead" ? "It was given up." : "It is tried again.");
      await wait(pace);
    }
    if (this.waiting === waiting) this.#say(h("strong", null, event), " is still waiting for its hook.");
  }

  #delivered(event, changes) {
    this.#say(h("strong", null, event), " was delivered. ", changes.length
      ? [`The list has changed since: ${changes.map(summaryOf).join("; ")}.`, changes.map(each => changeLines(each, { most: 20 }))]
      : "The list has not changed.");
  }

  /** The delivery while it waits; undefined once it is done, null where it is not told. */
  async #find(id) {
    if (!this.context.session.may("hooks", this.list.name)) return null;
    const { body } = await this.context.api.get("/v1/deliveries", { query: { director: this.list.name, limit: 10000 }, signal: this.context.signal });
    return body.deliveries.find(each => each.id === id);
  }

  #say(...content) {
    fill(this.answer, ...content);
    announce(this.answer.textContent);
  }
}

const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
