import { isRecord, type JsonValue } from "../placeholders/json-value.ts";
import { DataTooLarge } from "./data-problem.ts";
import { type ItemPath, valueAt } from "./item-path.ts";

/** The keys of whole items take as much as the list. A hundred paths into one field of it would take a hundred times that. */
const KEYS_PER_LIST = 4;

/** Makes the keys of one list. Throws DataTooLarge when they take much more than a list may have. */
export interface ItemKeys {
  /**
   * Equal values have equal keys: text and numbers that are written alike are the same (1 and "1", not "01"), and the
   * fields of objects may be in any order. Without paths the whole item is the key.
   */
  of(item: JsonValue): string;
  /** A key with a missing part matches nothing in a join. */
  ofJoin(item: JsonValue): string | undefined;
}

export function createItemKeys(paths: readonly ItemPath[], maxBytes: number): ItemKeys {
  let left = maxBytes * KEYS_PER_LIST;

  function counted(value: JsonValue): string {
    const text = textOf(value);
    left -= text.length;
    if (left < 0) throw new DataTooLarge();
    return text;
  }

  function of(item: JsonValue): string {
    if (paths.length === 0) return counted(item);
    return paths.length === 1
      ? counted(valueAt(item, paths[0]!))
      : JSON.stringify(paths.map((path) => counted(valueAt(item, path))));
  }

  return {
    of,
    ofJoin: (item) => (paths.some((path) => valueAt(item, path) === null) ? undefined : of(item)),
  };
}

/** A prefix keeps the text `null` apart from nothing, and the text `[1]` from a list. */
function textOf(value: JsonValue): string {
  if (value === null) return "null";
  return typeof value === "object" ? `json:${JSON.stringify(sorted(value))}` : `text:${String(value)}`;
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key]!)]),
  );
}
