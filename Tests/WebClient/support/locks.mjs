// Web Locks as far as the client uses them: exclusive locks, each given to those who ask in order of their requests.

export class Locks {
  #queues = new Map();

  /** Calls back once the lock is free, and holds it until what is returned is settled. */
  request(name, { signal }, held) {
    const turn = (this.#queues.get(name) ?? Promise.resolve()).then(async () => {
      signal.throwIfAborted();
      return held();
    });
    this.#queues.set(name, turn.catch(() => {}));
    return new Promise((resolve, reject) => {
      turn.then(resolve, reject);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }
}
