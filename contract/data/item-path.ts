import { isRecord, type JsonValue } from "../placeholders/json-value.ts";
import { isForbiddenName, readPlaceholder } from "../placeholders/reference.ts";

/** A field within an item. */
export interface ItemPath {
  keys: readonly (string | number)[];
  /** The name of its value in a result: the last key of the path. */
  name: string;
}

/**
 * Reads a path as placeholders write it: `customer.email`, `lines[0].price`. Text that is not a path is one key, so that
 * the columns of a table need no brackets: `First name`. Empty text is the item itself.
 */
export function itemPath(text: string): ItemPath {
  const path = text.trim();
  if (path === "") return { keys: [], name: "value" };
  const source = `item${path.startsWith("[") ? "" : "."}${path}}}`;
  const read = readPlaceholder(source, 0);
  const isPath = read.reference !== undefined && read.end === source.length;
  const keys = isPath ? read.reference.path : [path];
  return { keys, name: String(keys.at(-1)) };
}

/** The value at a path; null when it does not exist, as for placeholders. */
export function valueAt(item: JsonValue, { keys }: ItemPath): JsonValue {
  let current: unknown = item;
  for (const key of keys) {
    if (typeof current !== "object" || current === null || isForbiddenName(key)) return null;
    if (!Object.hasOwn(current, key)) return null;
    current = (current as Record<string | number, unknown>)[key];
  }
  return (current ?? null) as JsonValue;
}

export type Item = Record<string, JsonValue>;

export function isItem(value: JsonValue): value is Item {
  return isRecord(value);
}

/** Adds a field. A key named __proto__ stays a key: assigning it would set the prototype. */
export function setField(item: Item, name: string, value: JsonValue): void {
  if (name === "__proto__")
    Object.defineProperty(item, name, { value, enumerable: true, configurable: true, writable: true });
  else item[name] = value;
}
