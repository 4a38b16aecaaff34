import { node } from "./dom.js";

/**
 * Virtual scrolling: shows those of many lines of equal height that are in sight.
 *
 * Beyond what a browser takes as an element's height, the scroll bar is scaled: it says where in the list one is, and the
 * wheel still goes on by what it turns. Lines stand in a layer that does not scroll, so that their positions are small.
 */

/** The greatest height of an element in Chromium, in pixels; Firefox has less. */
const highest = 15000000;

/** @param {string} name @param {globalThis.Node[]} children */
const box = (name, ...children) => node("div", { class: name, role: "presentation" }, ...children);

export class Scroller {
  /** Where the window begins in the list, in pixels, not scaled. */
  top = 0;
  #count = 0;
  #expected = -1;
  #frame = 0;

  /**
   * @param {{pitch: number, draw: (first: number, end: number) => void}} options `draw` shows the lines
   *   from `first` up to `end`; line `n` stands at `n * pitch - top`.
   */
  constructor({ pitch, draw }) {
    this.pitch = pitch;
    this.draw = draw;
    this.layer = box("layer");
    this.space = box("space", this.layer);
    this.pane = box("scroller", this.space);
    this.pane.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.pane.addEventListener("wheel", event => this.#turned(event), { passive: false });
    this.observer = new ResizeObserver(() => this.plan());
    this.observer.observe(this.pane);
  }

  get #total() { return this.#count * this.pitch; }
  get #window() { return this.pane.clientHeight; }
  get #isScaled() { return this.#total > highest; }
  get #range() { return Math.max(0, this.#total - this.#window); }
  /** How far the scroll bar goes, in pixels. */
  get #most() { return Math.max(1, Math.min(this.#total, highest) - this.#window); }

  /**
   * Says how many lines there are.
   * @param {number} count
   */
  resize(count) {
    this.#count = count;
    this.space.style.height = `${Math.min(this.#total, highest)}px`;
    this.#go(this.top);
  }

  /**
   * Brings a line into sight.
   * @param {number} line
   * @param {number} [above] What is to be seen above it, in pixels.
   */
  reveal(line, above = 0) {
    const from = line * this.pitch - above, end = (line + 1) * this.pitch;
    if (from < this.top) this.#go(from);
    else if (end > this.top + this.#window) this.#go(end - this.#window);
  }

  /** Draws at the next frame. */
  plan() {
    this.#frame ||= requestAnimationFrame(() => this.drawNow());
  }

  /** Draws at once. */
  drawNow() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const first = Math.floor(this.top / this.pitch), end = Math.ceil((this.top + this.#window) / this.pitch);
    this.draw(Math.max(0, first - 2), Math.min(this.#count, end + 2));
  }

  /** Ends it. */
  stop() {
    cancelAnimationFrame(this.#frame);
    this.observer.disconnect();
  }

  /**
   * Goes to a place in the list, or the nearest that there is, and sets the scroll bar to it.
   * @param {number} top
   */
  #go(top) {
    this.top = top = Math.max(0, Math.min(top, this.#range));
    this.pane.scrollTop = this.#isScaled ? top / this.#range * this.#most : top;
    this.#expected = this.pane.scrollTop;
    this.plan();
  }

  #scrolled() {
    // What was set here is known more exactly than the scroll bar can say it.
    if (Math.abs(this.pane.scrollTop - this.#expected) < 1) return;
    this.#expected = -1;
    this.top = this.#isScaled ? this.pane.scrollTop / this.#most * this.#range : this.pane.scrollTop;
    this.plan();
  }

  /** @param {WheelEvent} event */
  #turned(event) {
    if (!this.#isScaled || event.ctrlKey) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? this.pitch : event.deltaMode === 2 ? this.#window : 1;
    this.#go(this.top + event.deltaY * unit);
  }
}
