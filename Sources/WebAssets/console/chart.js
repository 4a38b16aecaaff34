/** Small charts of values over time, as inline SVG. */
import { bytes, fill, h, span, svg, text } from "./dom.js";

const width = 300, height = 72;
/** A pause of more than so many milliseconds is shown as a gap. */
const longest = 25000;

/** The least of 1, 2, 2.5, 5, 10, … that is not below a value; of bytes, a power of 2. */
function roundedUp(value, isBytes) {
  if (!(value > 0)) return 1;
  if (isBytes) return 2 ** Math.ceil(Math.log2(value));
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].find(step => step * power >= value * 0.999) * power;
}

/**
 * A chart with its legend. `series` are `{name, kind, metric}`; `kind` is the style: `main`, `second` or `bad`.
 * `show(points)` draws `{at, values}`, the values in the order of the series, oldest first.
 */
export class Chart {
  #points = [];
  /** The time that the cursor is at; undefined for the newest. */
  #cursor;
  /** Has the cursor of this and other charts be at a time. */
  onPoint = at => this.point(at);

  constructor({ title, series, format, minutes }) {
    Object.assign(this, { title, series, format, minutes });
    this.lines = series.map(({ kind }) => svg("path", { class: `trace ${kind}`, "vector-effect": "non-scaling-stroke" }));
    this.mark = svg("line", { class: "mark", y1: 0, y2: height, "vector-effect": "non-scaling-stroke" });
    this.plot = svg("svg", {
      viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": title, class: "plot",
    });
    this.plot.append(...this.lines, this.mark);
    this.top = h("span", { class: "top" });
    this.values = series.map(() => h("output", { class: "number" }));
    const legend = series.map(({ name, kind }, n) => h("li", { class: kind }, h("span", { class: "name" }, name), " ", this.values[n]));
    const metrics = [...new Set(series.map(({ metric }) => metric))];
    this.time = h("span", { class: "time" });
    this.node = h("figure", { class: "chart", tabindex: 0, onkeydown: event => this.#key(event), onblur: () => this.onPoint() },
      h("figcaption", null, h("strong", null, title), " ", this.time),
      h("div", { class: "frame", onpointermove: event => this.#hover(event), onpointerleave: () => this.onPoint() },
        this.plot, this.top),
      h("ul", { class: "legend" }, legend), h("p", { class: "metric" }, metrics.map(metric => h("code", null, metric))));
  }

  show(points) {
    this.#points = points;
    // The first minutes fill the chart, too.
    const end = points.at(-1)?.at ?? 0, start = Math.max(end - this.minutes * 60000, Math.min(points[0]?.at ?? 0, end - 60000));
    const most = Math.max(...points.flatMap(({ values }) => values.map(value => value ?? 0)), 0);
    const top = roundedUp(most, this.format === bytes);
    const x = at => (at - start) / (end - start) * width, y = value => height - 2 - value / top * (height - 6);
    this.lines.forEach((line, n) => line.setAttribute("d", path(points, n, x, y)));
    text(this.top, this.format(top));
    this.length = span(Math.round((end - start) / 1000));
    this.x = x;
    this.range = { from: start, to: end };
    this.#read();
  }

  /** Where the cursor is, or at the end. */
  #read() {
    const point = this.#points[this.#place()] ?? this.#points.at(-1);
    this.values.forEach((node, n) => text(node, point?.values[n] === undefined ? "–" : this.format(point.values[n])));
    const isNow = this.#cursor === undefined || !point;
    text(this.time, isNow ? `last ${this.length ?? ""}` : new Date(point.at).toLocaleTimeString("en-GB"));
    const at = isNow ? -9 : this.x(point.at);
    this.mark.setAttribute("x1", at);
    this.mark.setAttribute("x2", at);
    const said = this.series.map(({ name }, n) => `${name} ${this.values[n].textContent}`);
    this.plot.setAttribute("aria-label", `${this.title}, ${this.time.textContent}: ${said.join(", ")}`);
  }

  /** Shows what was at a time, or the newest. */
  point(at) {
    this.#cursor = at;
    this.#read();
  }

  /** Where the point is that is nearest to the cursor. */
  #place() {
    if (this.#cursor === undefined) return this.#points.length - 1;
    const far = this.#points.map(({ at }) => Math.abs(at - this.#cursor));
    return far.indexOf(Math.min(...far));
  }

  #hover(event) {
    const box = this.plot.getBoundingClientRect();
    const { from, to } = this.range;
    this.onPoint(from + (event.clientX - box.left) / box.width * (to - from));
  }

  #key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const place = Math.min(this.#points.length - 1, Math.max(0, this.#place() + step));
    this.onPoint(this.#points[place]?.at);
  }
}

function path(points, n, x, y) {
  let last, drawn = "";
  for (const { at, values } of points) {
    if (values[n] === undefined) {
      last = undefined;
      continue;
    }
    const isNext = last !== undefined && at - last < longest;
    const place = `${x(at).toFixed(1)} ${y(values[n]).toFixed(1)}`;
    drawn += isNext ? `L${place}` : `M${place}h0.5`;
    last = at;
  }
  return drawn;
}

/** Charts side by side, with one cursor. */
export function charts(...made) {
  for (const chart of made) chart.onPoint = at => made.forEach(each => each.point(at));
  return fill(h("div", { class: "charts" }), made.map(({ node }) => node));
}
