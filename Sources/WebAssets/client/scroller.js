/**
 * Virtual scrolling: shows those of many lines of equal height that are in sight.
 *
 * Beyond what a browser takes as an element's height, the scroll bar is scaled: it says where in the list one is, and the
 * wheel still goes on by what it turns. Lines stand in a layer that does not scroll, so that their positions are small.
 */

/** The greatest height of an element in Chromium, in pixels; Firefox has less. */
const highest = 15000000;

/** @param {string} name */
function box(name) {
  const node = document.createElement("div");
  node.className = name;
  node.setAttribute("role", "presentation");
  return node;
}

export class Scroller {
  /** Where the window begins in the list, in pixels, not scaled. */
  top = 0;
  #count = 0;
  #expected = -1;
  #frame = 0;

  /**
   * @param {{height: number, draw: (first: number, end: number, offset: number) => void}} options `draw` shows the lines
   *   from `first` up to `end`; line `n` stands at `n * height - offset`.
   */
  constructor({ height, draw }) {
    this.height = height;
    this.draw = draw;
    this.layer = box("layer");
    this.space = box("space");
    this.node = box("scroller");
    this.space.append(this.layer);
    this.node.append(this.space);
    this.node.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.node.addEventListener("wheel", event => this.#turned(event), { passive: false });
    this.observer = new ResizeObserver(() => this.plan());
    this.observer.observe(this.node);
  }

  get #total() { return this.#count * this.height; }
  get #window() { return this.node.clientHeight; }
  get #isScaled() { return this.#total > highest; }
  get #range() { return Math.max(0, this.#total - this.#window); }

  /**
   * Says how many lines there are.
   * @param {number} count
   */
  resize(count) {
    this.#count = count;
    this.space.style.height = `${Math.min(this.#total, highest)}px`;
    this.#go(Math.min(this.top, this.#range));
  }

  /**
   * Brings a line into sight.
   * @param {number} line
   * @param {number} [above] What is to be seen above it, in pixels.
   */
  reveal(line, above = 0) {
    const from = line * this.height - above, end = (line + 1) * this.height;
    if (from < this.top) this.#go(Math.max(0, from));
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
    const first = Math.floor(this.top / this.height), end = Math.ceil((this.top + this.#window) / this.height);
    this.draw(Math.max(0, first - 2), Math.min(this.#count, end + 2), this.top);
  }

  /** Ends it. */
  stop() {
    cancelAnimationFrame(this.#frame);
    this.observer.disconnect();
  }

  /**
   * Goes to a place in the list, and sets the scroll bar to it.
   * @param {number} top
   */
  #go(top) {
    this.top = top;
    const most = Math.max(1, Math.min(this.#total, highest) - this.#window);
    const wanted = this.#isScaled ? top / Math.max(1, this.#range) * most : top;
    this.node.scrollTop = wanted;
    this.#expected = this.node.scrollTop;
    this.plan();
  }

  #scrolled() {
    // What was set here is known more exactly than the scroll bar can say it.
    if (Math.abs(this.node.scrollTop - this.#expected) < 1) return;
    this.#expected = -1;
    const most = Math.max(1, Math.min(this.#total, highest) - this.#window);
    this.top = this.#isScaled ? this.node.scrollTop / most * this.#range : this.node.scrollTop;
    this.plan();
  }

  /** @param {WheelEvent} event */
  #turned(event) {
    if (!this.#isScaled || event.ctrlKey) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? this.height : event.deltaMode === 2 ? this.#window : 1;
    this.#go(Math.max(0, Math.min(this.top + event.deltaY * unit, this.#range)));
  }
}
