/**
 * @typedef {object} KeptRecord What a storage holds under an identifier.
 * @property {string} id
 * @property {number} format The number of the text's form.
 * @property {string} text
 *
 * @typedef {object} RecordStorage Where records are kept. Its calls may be answered late, and are made one after the other.
 * @property {() => Promise<any[]> | any[]} all Every record.
 * @property {(id: string) => Promise<any> | any} [get] The record of that identifier; `all` is searched unless there is one.
 * @property {(record: KeptRecord) => Promise<unknown> | unknown} put Keeps a record in place of an earlier one; it is safe when
 *   the answer is there.
 * @property {(id: string) => Promise<unknown> | unknown} remove
 * @property {() => void} [close]
 */

/** Keeps records for as long as the page is there. */
export class MemoryStorage {
  /** @type {Map<string, any>} */
  #records = new Map();

  all() {
    return [...this.#records.values()];
  }

  /** @param {string} id */
  get(id) {
    return this.#records.get(id);
  }

  /** @param {any} record */
  put(record) {
    this.#records.set(record.id, record);
  }

  /** @param {string} id */
  remove(id) {
    this.#records.delete(id);
  }
}

/** Keeps records in a database of IndexedDB, which all pages of the origin share. */
class IndexedStorage {
  #name;
  /** @type {Promise<IDBDatabase> | undefined} */
  #database;

  /** @param {string} name */
  constructor(name) {
    this.#name = name;
  }

  /** @returns {Promise<IDBDatabase>} */
  open() {
    return this.#database ??= new Promise((resolve, reject) => {
      const lose = () => this.#database = undefined;
      const request = indexedDB.open(this.#name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("records", { keyPath: "id" });
      request.onerror = () => (lose(), reject(request.error));
      request.onsuccess = () => {
        const database = request.result;
        // The browser closes it where the user clears what sites keep; another page may want to delete it.
        database.onclose = lose;
        database.onversionchange = () => (lose(), database.close());
        resolve(database);
      };
    });
  }

  /**
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest} act
   * @returns {Promise<any>} The request's result, once its transaction has been completed.
   */
  async #run(mode, act) {
    const database = await this.open();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction("records", mode, { durability: "strict" });
      const request = act(transaction.objectStore("records"));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  all() {
    return this.#run("readonly", store => store.getAll());
  }

  /** @param {string} id */
  get(id) {
    return this.#run("readonly", store => store.get(id));
  }

  /** @param {any} record */
  put(record) {
    return this.#run("readwrite", store => store.put(record));
  }

  /** @param {string} id */
  remove(id) {
    return this.#run("readwrite", store => store.delete(id));
  }

  close() {
    this.#database?.then(database => database.close(), () => {});
    this.#database = undefined;
  }
}

/**
 * The database of that name; memory where the browser has none, or does not let the page have it.
 * @param {string} name
 * @returns {Promise<RecordStorage>}
 */
export async function openStorage(name) {
  try {
    const storage = new IndexedStorage(name);
    await storage.open();
    return storage;
  } catch {
    return new MemoryStorage();
  }
}
