/** Moving rows by dragging them, with the mouse at any place of the row, with a finger at its grip. */

/** The pointer has to go so far before it drags, in pixels; near an edge the list scrolls. */
const slack = 5, edge = 36;

export class Drag {
  #control = new AbortController();
  #from;
  #start;
  #target;
  #isDragging = false;

  constructor(view, box, drop) {
    Object.assign(this, { view, box, drop });
    const { signal } = this.#control;
    box.addEventListener("pointerdown", event => this.#down(event), { signal });
    addEventListener("pointermove", event => this.#moved(event), { signal });
    addEventListener("pointerup", () => this.#up(), { signal });
    addEventListener("pointercancel", () => this.#stop(), { signal });
    addEventListener("keydown", event => event.key === "Escape" && this.#isDragging && this.#stop(), { signal });
    box.addEventListener("click", event => this.wasDragged && (this.wasDragged = false, event.stopImmediatePropagation()), { signal, capture: true });
  }

  stop() {
    this.#stop();
    this.#control.abort();
  }

  #down(event) {
    const row = event.target.closest(".row");
    this.wasDragged = false;
    if (!row || event.button !== 0 || row.getAttribute("aria-busy")) return;
    if (event.pointerType !== "mouse" && !event.target.closest(".grip")) return;
    this.#from = row;
    this.#start = { x: event.clientX, y: event.clientY };
  }

  #moved(event) {
    if (!this.#from) return;
    const { clientX: x, clientY: y } = event;
    if (!this.#isDragging) {
      if (Math.hypot(x - this.#start.x, y - this.#start.y) < slack) return;
      this.#isDragging = true;
      this.#from.classList.add("dragged");
      this.box.classList.add("dragging");
      getSelection()?.removeAllRanges();
    }
    const { top, bottom } = this.box.getBoundingClientRect();
    if (y < top + edge) this.box.scrollTop -= 12;
    else if (y > bottom - edge) this.box.scrollTop += 12;
    const over = document.elementFromPoint(x, y)?.closest(".row");
    this.#point(over && this.box.contains(over) && over !== this.#from ? over : undefined);
  }

  /** Shows where the row would go: it takes the place of the one that is pointed at. */
  #point(row) {
    this.#target?.classList.remove("drop-above", "drop-below");
    this.#target = row;
    if (!row || !this.#from.isConnected) return;
    const [from, to] = [this.view.pathOf(this.#from), this.view.pathOf(row)];
    row.classList.add(from[0] === to[0] && from[1] < to[1] ? "drop-below" : "drop-above");
  }

  #up() {
    const [row, target] = [this.#from, this.#target], wasDragging = this.#isDragging;
    this.#stop();
    this.wasDragged = wasDragging;
    if (wasDragging && target?.isConnected && row.isConnected) this.drop(this.view.pathOf(row), this.view.pathOf(target));
  }

  #stop() {
    this.#target?.classList.remove("drop-above", "drop-below");
    this.#from?.classList.remove("dragged");
    this.box.classList.remove("dragging");
    this.#from = this.#target = undefined;
    this.#isDragging = false;
  }
}
