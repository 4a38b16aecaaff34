/** The retained versions of a list on its page: a slider over them, and the list as it was at the chosen one. */
import { problem } from "./action.js";
import { summaryOf } from "./changes.js";
import { announce, fill, h, link, number, text } from "./dom.js";
import { PastView } from "./past-view.js";
import { Past } from "./past.js";
import { directorPath, listAddress } from "./places.js";
import { restoreDialog } from "./restore.js";
import { oldestRetained, saidOf } from "./retained.js";

/** How long each version is shown while they are played, in milliseconds. */
const pace = 1200;

export class History {
  /** The version that is shown; undefined while the list is shown as it is now. */
  version;
  #context;
  #list;
  #came;
  #shown;
  #past;
  #oldest = 0;
  #wanted;
  #isReading = false;

  /**
   * @param {{list: object, came: Map<number, Date>, shown: () => void}} about `came` has the times at which versions arrived here,
   *   as far as that was seen; `shown` is called when another version is shown, or the list as it is.
   */
  constructor(context, { list, came, shown }) {
    this.#context = context;
    this.#list = list;
    this.#came = came;
    this.#shown = shown;
    this.#past = new Past(context, directorPath(list.name));
    this.view = new PastView(list, this.#past, () => this.#lose(this.version));
    const button = (sign, name, to) => h("button", { type: "button", "aria-label": name, title: name, onclick: () => this.#press(to()) }, sign);
    this.before = button("←", "Version before", () => this.#at - 1);
    this.after = button("→", "Next version", () => this.#at + 1);
    this.range = h("input", { type: "range", step: 1, "aria-label": "Version", oninput: () => {
      this.#pause();
      this.go(Number(this.range.value));
    } });
    this.player = h("button", { type: "button", onclick: () => this.timer ? this.#pause() : this.#play() }, "Play");
    this.says = h("span", { class: "muted" });
    this.place = h("strong");
    /** What says that it is not the list as it is now that is shown. */
    this.restore = context.session.may("mutate", list.name) && h("button", { type: "button", onclick: () => restoreDialog(context,
      { list, past: this.#past, version: this.version, done: () => this.#press(undefined) }) }, "Restore…");
    this.banner = h("p", { class: "banner", hidden: true }, h("span", null, this.place, ", as it was shown; nothing can be changed here."),
      h("span", { class: "actions" }, this.restore, h("button", { type: "button", onclick: () => this.#press(undefined) }, "Back to now")));
    this.problem = h("div", { class: "problem", role: "alert", hidden: true });
    this.node = h("section", { class: "history", "aria-label": "History" },
      h("div", { class: "bar slide" }, this.before, this.range, this.after, this.player), this.says, this.problem);
    for (const each of [this.node, this.banner, this.view.node]) each.addEventListener("keydown", event => this.#key(event));
  }

  /** Finds out which versions there are, and shows one of them, or the list as it is. */
  async begin(version) {
    this.#draw();
    this.#oldest = await oldestRetained(each => this.#past.has(each), this.#list.version);
    if (this.#context.signal.aborted) return;
    this.#draw();
    if (version !== undefined) await this.go(version);
  }

  stop() {
    this.#pause();
    this.#wanted = this.version = undefined;
    this.view.stop();
  }

  /** There are more versions now, or the list was made anew: the shown one stays, as long as there is one of its number. */
  grow() {
    if (this.version > this.#list.version) this.#leave();
    this.#draw();
  }

  /** Draws the rows anew: what they show of their values has changed. */
  redraw() {
    this.view.redraw();
  }

  /** Where the slider is. */
  get #at() {
    return this.#wanted ?? this.version ?? this.#list.version;
  }

  /** Shows a version, or the list as it is now; of several that are wanted meanwhile, the last. */
  async go(version) {
    if (version === undefined) return this.#leave();
    const newest = this.#list.version;
    if (version > newest) return this.#tell([h("strong", null, `Version ${number(version)} has not been published`), `. The newest is ${number(newest)}.`]);
    this.#wanted = version;
    this.#draw();
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#wanted !== undefined) await this.#read(this.#wanted);
    this.#isReading = false;
  }

  async #read(version) {
    try {
      const read = await this.view.read(version);
      if (this.#wanted !== version || this.#context.signal.aborted) return;
      this.view.show(read, link(listAddress(this.#list.name, "changesets", { from: version - 1, to: version }), "Stage by stage"));
      Object.assign(this, { version, read });
      this.#wanted = undefined;
      this.problem.hidden = true;
      this.#draw();
      this.#shown();
    } catch (error) {
      if (this.#context.signal.aborted) return void (this.#wanted = undefined);
      if (this.#wanted !== version) return;
      this.#wanted = undefined;
      this.#pause();
      if (error.status === 410) await this.#lose(version);
      else this.#tell(problem(error));
    }
  }

  /** A version is not retained any more: the slider begins where the oldest one is that is. */
  async #lose(version) {
    this.#oldest = await oldestRetained(each => this.#past.has(each), this.#list.version, version + 1).catch(() => version + 1);
    this.#tell([h("strong", null, `Version ${number(version)} is no longer retained`), `. ${number(this.#oldest)} is the oldest that is.`]);
  }

  #tell(says) {
    fill(this.problem, says);
    this.problem.hidden = false;
    this.#draw();
  }

  /** Shows the list as it is now. */
  #leave() {
    this.#pause();
    this.#wanted = undefined;
    if (this.version === undefined) return;
    this.version = this.read = undefined;
    this.problem.hidden = true;
    // What had the focus may be hidden.
    if (this.banner.contains(document.activeElement)) this.range.focus();
    this.view.hide();
    this.#draw();
    this.#shown();
  }

  #draw() {
    const newest = this.#list.version, at = this.#at;
    Object.assign(this.range, { min: Math.min(this.#oldest, at), max: newest, value: at });
    const changeset = this.version === at ? this.read.changeset : undefined;
    const said = this.version === undefined && this.#wanted === undefined ? ["the list as it is now"]
      : saidOf({ came: this.#came.get(at), causes: changeset?.causes, summary: changeset && summaryOf(changeset) });
    this.range.setAttribute("aria-valuetext", [`version ${number(at)}`, ...said].join(", "));
    const place = version => `Version ${number(version)} of ${number(newest)}`;
    text(this.says, [place(at), ...said].join(" · "));
    text(this.place, place(this.version));
    this.banner.hidden = this.version === undefined;
    if (this.restore) this.restore.hidden = this.version === newest;
    this.before.setAttribute("aria-disabled", at <= this.#oldest);
    this.after.setAttribute("aria-disabled", at >= newest);
  }

  /** A button was pressed: unlike a slider, it does not tell of itself what it has led to. */
  async #press(version) {
    this.#pause();
    if (version < this.#oldest || version > this.#list.version) return;
    await this.go(version);
    announce(this.version === undefined ? "The list as it is now" : this.range.getAttribute("aria-valuetext"));
  }

  #key(event) {
    if (event.key !== "Escape" || this.version === undefined) return;
    event.preventDefault();
    this.#press(undefined);
  }

  /** Goes from version to version up to the newest; from the oldest on, where the newest is shown. */
  #play() {
    text(this.player, "Pause");
    const next = async () => {
      await this.go(this.#at < this.#list.version ? this.#at + 1 : this.#oldest);
      if (!this.timer) return;
      if (this.version === this.#list.version) this.#pause();
      else this.timer = setTimeout(next, pace);
    };
    this.timer = setTimeout(next);
  }

  #pause() {
    clearTimeout(this.timer);
    this.timer = undefined;
    text(this.player, "Play");
  }
}
