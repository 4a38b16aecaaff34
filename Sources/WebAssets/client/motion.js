import { firstIndex } from "./sparse.js";

/** How many rows glide at most: more are not seen as single ones. */
const most = 300;

/** Lets rows glide from where they were to where they are (FLIP), as far as they can be seen. */
export class Motion {
  #isWanted;
  /** @type {Map<globalThis.Element, DOMRect>} */
  #before = new Map();
  /** @type {Set<globalThis.Element>} */
  #arriving = new Set();
  /** @type {WeakMap<globalThis.Element, Animation>} */
  #running = new WeakMap();

  /** @param {boolean} isWanted */
  constructor(isWanted) {
    this.#isWanted = isWanted;
  }

  /**
   * Notes where the visible rows are, before anything changes.
   * @param {{rows: {node: globalThis.Element}[], node: globalThis.Element}[]} views
   */
  measure(views) {
    this.#before = new Map();
    this.#arriving.clear();
    if (!this.#isWanted || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const { node, rows } of views) {
      const { top, bottom } = node.getBoundingClientRect();
      if (bottom < 0 || top > innerHeight || !rows.length) continue;
      let low = firstIndex(rows.length, at => rows[at].node.getBoundingClientRect().bottom >= 0);
      for (; low < rows.length && this.#before.size < most; low++) {
        const place = rows[low].node.getBoundingClientRect();
        if (place.top > innerHeight) break;
        this.#before.set(rows[low].node, place);
      }
    }
  }

  /** @param {globalThis.Element} node */
  arrives(node) {
    if (this.#before.size && this.#arriving.size < most) this.#arriving.add(node);
  }

  /** Animates what has moved or arrived. */
  play() {
    for (const node of this.#before.keys()) this.#running.get(node)?.cancel();
    const moves = [...this.#before].filter(([node]) => node.isConnected).map(([node, before]) => {
      const after = node.getBoundingClientRect();
      return { node, x: before.left - after.left, y: before.top - after.top };
    });
    for (const { node, x, y } of moves) {
      if (x || y) this.#animate(node, { transform: `translate(${x}px, ${y}px)` }, { transform: "none" });
    }
    for (const node of this.#arriving) this.#animate(node, { opacity: 0 }, { opacity: 1 });
  }

  /**
   * @param {globalThis.Element} node
   * @param {Keyframe} from
   * @param {Keyframe} to
   */
  #animate(node, from, to) {
    this.#running.set(node, node.animate([from, to], { duration: 250, easing: "ease" }));
  }
}
