/** The Prometheus text format: what `GET /metrics` answers, and what follows from several answers. */

const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const escapes = { n: "\n", "\\": "\\", "\"": "\"" };

/** One answer: samples by the name of their metric. */
export class Metrics {
  #samples = new Map();
  #help = new Map();

  /**
   * @param {string} source The text.
   * @param {number} at When it came, in milliseconds.
   */
  constructor(source, at) {
    this.at = at;
    for (const line of source.split("\n")) {
      if (line.startsWith("# HELP ")) {
        const [, , name, ...words] = line.split(" ");
        this.#help.set(name, words.join(" "));
      }
      const found = line[0] === "#" ? null : sample.exec(line);
      if (!found) continue;
      const labels = Object.fromEntries([...(found[2] ?? "").matchAll(label)].map(([, name, value]) =>
        [name, value.replace(/\\(.)/g, (_, letter) => escapes[letter] ?? letter)]));
      const entry = { labels, value: found[3] === "+Inf" ? Infinity : Number(found[3]) };
      this.#add(found[1], entry);
    }
  }

  /**
   * The readings of `GET /v1/metrics/history`, oldest first.
   * @param {number} now The time of the last one by this machine's clock, in milliseconds.
   */
  static ofHistory({ times, series }, now) {
    const shift = now - Date.parse(times.at(-1));
    const made = times.map(time => new Metrics("", Date.parse(time) + shift));
    for (const { metric, labels, values } of series) {
      made.forEach((metrics, n) => metrics.#add(metric, values[n] === null ? undefined : { labels, value: +values[n] }));
    }
    return made;
  }

  /** Adds a sample; without one, the metric is there and has none. */
  #add(name, entry) {
    const others = this.#samples.get(name) ?? [];
    if (entry) others.push(entry);
    this.#samples.set(name, others);
  }

  /** What a metric says of itself. */
  help(name) {
    return this.#help.get(name) ?? "";
  }

  /** The samples whose labels match. */
  samples(name, matches = () => true) {
    return (this.#samples.get(name) ?? []).filter(({ labels }) => matches(labels));
  }

  /** The sum of samples; undefined where there is none. */
  total(name, matches) {
    const found = this.samples(name, matches);
    return found.length ? found.reduce((sum, { value }) => sum + value, 0) : undefined;
  }

  /** Whether the answer has the metric at all, be it without samples. */
  has(name) {
    return this.#help.has(name) || this.#samples.has(name);
  }

  /** The buckets of histograms, added up: `[bound, how many are not above it]`, ascending. */
  buckets(name, matches) {
    const sums = new Map();
    for (const { labels, value } of this.samples(`${name}_bucket`, matches)) {
      const bound = labels.le === "+Inf" ? Infinity : Number(labels.le);
      sums.set(bound, (sums.get(bound) ?? 0) + value);
    }
    return [...sums].sort(([a], [b]) => a - b);
  }
}

/** How much a counter has grown; one that begins anew (the server was started again) has grown from 0. */
export function growth(now, before) {
  return now < (before ?? 0) ? now : now - (before ?? 0);
}

/**
 * A quantile of what a histogram has counted between two answers, interpolated within its bucket; undefined where
 * nothing was counted. Beyond the last bound it is that bound.
 */
export function quantile(share, now, before) {
  const earlier = new Map(before);
  const isAnew = now.some(([bound, count]) => count < (earlier.get(bound) ?? 0));
  const counts = now.map(([bound, count]) => [bound, count - (isAnew ? 0 : earlier.get(bound) ?? 0)]);
  const all = counts.at(-1)?.[1] ?? 0;
  if (!all) return undefined;
  const place = counts.findIndex(([, count]) => count >= share * all);
  const [low, under] = counts[place - 1] ?? [0, 0];
  const [high, upTo] = counts[place];
  return high === Infinity ? low : low + (high - low) * (share * all - under) / (upTo - under || 1);
}

/** An answer with those before it: rates over the last interval, quantiles over about ten seconds. */
export class Moment {
  constructor(metrics, last, earlier) {
    Object.assign(this, { metrics, last, earlier });
  }

  value(name, matches) {
    return this.metrics.total(name, matches);
  }

  rate(name, matches) {
    if (!this.last) return undefined;
    if (!this.metrics.has(name)) return undefined;
    const grown = growth(this.metrics.total(name, matches) ?? 0, this.last.total(name, matches));
    return grown * 1000 / (this.metrics.at - this.last.at);
  }

  quantile(share, name, matches) {
    return this.earlier && quantile(share, this.metrics.buckets(name, matches), this.earlier.buckets(name, matches));
  }
}
