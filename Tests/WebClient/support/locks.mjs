// Web Locks as far as the client uses them: exclusive locks, each given to those who ask in order of their requests, or taken.

export class Locks {
  #locks = new Map();

  /** Calls back once the lock is free, or at once where it is stolen, and holds it until what is returned is settled. */
  request(name, { signal, steal }, held) {
    if (signal && steal) throw new DOMException("a request that steals takes no signal", "NotSupportedError");
    const lock = this.#locks.get(name) ?? { holder: undefined, queue: [] };
    this.#locks.set(name, lock);
    return new Promise((resolve, reject) => {
      const request = { resolve, reject, held };
      if (steal) {
        lock.holder?.reject(new DOMException("the lock was stolen", "AbortError"));
        lock.holder = undefined;
        lock.queue.unshift(request);
      } else lock.queue.push(request);
      signal?.addEventListener("abort", () => {
        lock.queue = lock.queue.filter(each => each !== request);
        reject(signal.reason);
      });
      this.#next(lock);
    });
  }

  #next(lock) {
    queueMicrotask(async () => {
      if (lock.holder || !lock.queue.length) return;
      const request = lock.holder = lock.queue.shift();
      try {
        request.resolve(await request.held());
      } catch (error) {
        request.reject(error);
      }
      if (lock.holder === request) lock.holder = undefined;
      this.#next(lock);
    });
  }
}
