import { isRecord, type JsonValue } from "../placeholders/json-value.ts";
import { type ItemPath, valueAt } from "./item-path.ts";

/**
 * Equal values have equal keys: text and numbers that are written alike are the same (1 and "1", not "01"), and the
 * fields of objects may be in any order. Without paths the whole item is the key.
 */
export function keyOf(item: JsonValue, paths: readonly ItemPath[]): string {
  if (paths.length === 0) return textOf(item);
  return paths.length === 1
    ? textOf(valueAt(item, paths[0]!))
    : JSON.stringify(paths.map((path) => textOf(valueAt(item, path))));
}

/** A key with a missing part matches nothing in a join. */
export function joinKeyOf(item: JsonValue, paths: readonly ItemPath[]): string | undefined {
  return paths.some((path) => valueAt(item, path) === null) ? undefined : keyOf(item, paths);
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
