/**
 * A map for entries that every call adds and removes. When V8 rebuilds the table of a `Map`, the old table refers to the
 * new one. After one table has reached the old generation, a minor collection therefore keeps all later tables, and
 * with them every value that was ever in the map, until the next full collection. Here a removed value is no longer
 * referred to: its cell is emptied.
 */
export class ChurnMap<Key, Value extends object> {
  readonly #cells = new Map<Key, { value: Value | undefined }>();

  get(key: Key): Value | undefined {
    return this.#cells.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    const cell = this.#cells.get(key);
    if (cell === undefined) this.#cells.set(key, { value });
    else cell.value = value;
  }

  delete(key: Key): void {
    const cell = this.#cells.get(key);
    if (cell === undefined) return;
    cell.value = undefined;
    this.#cells.delete(key);
  }

  keys(): IterableIterator<Key> {
    return this.#cells.keys();
  }

  *values(): Generator<Value> {
    for (const { value } of this.#cells.values()) if (value !== undefined) yield value;
  }
}
