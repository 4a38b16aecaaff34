// A server that a test plays itself: each request waits until the test answers it.

const encoder = new TextEncoder();

/** One connection of a stream. */
class Connection {
  constructor(request) {
    this.request = request;
    this.isClosed = false;
    const body = new ReadableStream({
      start: controller => this.controller = controller,
      cancel: () => { this.isClosed = true; },
    });
    request.init.signal?.addEventListener("abort", () => {
      this.isClosed = true;
      try { this.controller.error(request.init.signal.reason); } catch { /* It was closed before. */ }
    });
    this.response = new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  }

  send(event, data) {
    this.controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  }

  write(text) {
    this.controller.enqueue(encoder.encode(text));
  }

  retry(milliseconds) {
    this.controller.enqueue(encoder.encode(`retry: ${milliseconds}\n\n`));
  }

  close() {
    this.controller.close();
  }

  breakOff() {
    this.controller.error(new TypeError("terminated"));
  }
}

export class FakeServer {
  requests = [];
  #waiting = [];
  #unanswered = [];

  /** In the place of `fetch`. */
  fetch = (url, init = {}) => new Promise((resolve, reject) => {
    init.signal?.throwIfAborted();
    init.signal?.addEventListener("abort", () => reject(init.signal.reason));
    const { pathname, searchParams } = new URL(url);
    const request = {
      path: pathname, query: searchParams, method: init.method ?? "GET", headers: init.headers ?? {}, init, resolve, reject,
      body: init.body && JSON.parse(init.body), at: performance.now(),
    };
    this.requests.push(request);
    const waiting = this.#waiting.shift();
    if (waiting) waiting(request);
    else this.#unanswered.push(request);
  });

  /** The next request that has not been answered. */
  async next(limit = 20000) {
    const request = this.#unanswered.shift();
    if (request) return request;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("no request has come")), limit);
      this.#waiting.push(request => { clearTimeout(timer); resolve(request); });
    });
  }

  /** Answers the next request with a stream. */
  async stream() {
    return this.connection(await this.next());
  }

  /** Answers a request with a stream. */
  connection(request) {
    const connection = new Connection(request);
    request.resolve(connection.response);
    return connection;
  }

  /** Answers the next request with JSON. */
  async answer(body, { status = 200, headers = {} } = {}) {
    const request = await this.next();
    const type = status < 400 ? "application/json" : "application/problem+json";
    request.resolve(new Response(JSON.stringify(body), { status, headers: { "Content-Type": type, ...headers } }));
    return request;
  }
}

/** A storage that outlives the pages of a test. */
export class KeptRecords {
  records = new Map();

  all() {
    return [...this.records.values()].map(record => structuredClone(record));
  }

  async put(record) {
    this.records.set(record.id, structuredClone(record));
  }

  async remove(id) {
    this.records.delete(id);
  }
}

/** What a stream begins with. */
export function snapshot(director, version = 1, elements = ["a", "b"], more = {}) {
  const made = elements.map(id => ({ id, model: "Item", value: { id } }));
  return {
    director, kind: "table", epoch: `life-${director}`, version, properties: {}, adapters: [{ model: "Item", cell: "ItemCell" }],
    counts: { sections: 1, elements: elements.length }, sections: [{ id: "s", headerTitle: "S", elements: made }], ...more,
  };
}

/** A changeset that adds an element at the end of a list that is as long. */
export function addition(director, from, length, id = `n${from}`, more = {}) {
  return {
    director, epoch: `life-${director}`, from, version: from + 1, counts: { sections: 1, elements: length + 1 },
    stages: [{ elementInserted: [{ at: [0, length], element: { id, model: "Item", value: { id } } }] }], ...more,
  };
}

/** Waits until something holds. */
export async function until(holds, what = `${holds}`, limit = 20000) {
  const end = performance.now() + limit;
  for (let result; !(result = holds());) {
    if (performance.now() > end) throw new Error(`it has not come to ${what}`);
    await new Promise(resolve => setTimeout(resolve, 2));
  }
}
