import type { JsonValue } from "../placeholders/json-value.ts";
import { createMeasure } from "../placeholders/json-size.ts";
import { DataProblem, DataTooLarge } from "./data-problem.ts";
import { checkRows, namesOf } from "./group.ts";
import { isItem, type Item, type ItemPath, itemPath, setField, valueAt } from "./item-path.ts";
import { type DataFields, MAX_NAMES, readList, readPaths, readRecord, readText } from "./read-fields.ts";
import { PAUSE_EVERY, pauseEvery, type Work } from "./work.ts";

/** One row for each element of a list inside each item. */
export function* splitOut(fields: DataFields, maxBytes: number): Work {
  const items = readList(fields, "items");
  const path = itemPath(readText(fields, "field"));
  const as = readText(fields, "as");
  const measure = createMeasure();
  let size = 0;
  const rows: JsonValue[] = [];
  for (const [index, item] of items.entries()) {
    const value = valueAt(item, path);
    const elements = Array.isArray(value) ? value : value === null ? [] : [value];
    const others = as === "" ? undefined : withoutPath(item, path);
    // Every row repeats the other fields: counted before the rows are built.
    if (others !== undefined) size += elements.length * measure(others, maxBytes);
    if (size > maxBytes) throw new DataTooLarge();
    for (const element of elements) {
      if (others === undefined) rows.push(element);
      else {
        const row = { ...others };
        setField(row, as, element);
        rows.push(row);
      }
      if (rows.length % PAUSE_EVERY === 0) yield;
    }
    if (index % PAUSE_EVERY === 0) yield;
  }
  return rows;
}

/** Keeps, renames and removes fields of each item. */
export function* pickFields(fields: DataFields, maxBytes: number): Work {
  const items = readList(fields, "items");
  const kept = fields["fields"] === undefined ? undefined : readPaths(fields, "fields", MAX_NAMES);
  const names = namesOf(kept ?? []);
  const removed = readPaths(fields, "remove");
  const renamed = readRecord(fields, "rename").map(([from, to]) => ({ from: itemPath(from), to }));
  checkRows(items.length, [...names, ...renamed.map(({ to }) => to)], maxBytes);
  const pause = pauseEvery(names.length + removed.length + renamed.length);
  const rows: JsonValue[] = [];
  for (const [index, item] of items.entries()) {
    if (!isItem(item))
      throw new DataProblem(
        "items",
        `must be a list of objects to pick fields, and has ${JSON.stringify(item).slice(0, 100)}`,
      );
    const row: Item = kept === undefined ? { ...item } : {};
    for (const [at, path] of (kept ?? []).entries()) setField(row, names[at]!, valueAt(item, path));
    const own = new Set<Item>([row]);
    for (const path of removed) removePath(row, path, own);
    for (const { from } of renamed) removePath(row, from, own);
    for (const { from, to } of renamed) setField(row, to, valueAt(item, from));
    rows.push(row);
    if (index % pause === 0) yield;
  }
  return rows;
}

/** A copy without the value at a path; only the objects on the way to it are copied. */
function withoutPath(item: JsonValue, path: Pick<ItemPath, "keys">): Item {
  if (!isItem(item)) return {};
  const copy = { ...item };
  removePath(copy, path, new Set([copy]));
  return copy;
}

/**
 * Removes the value at a path. Objects on the way to it are shared with the input: each is copied once and then in `own`,
 * because a copy for every path would take minutes for wide items.
 */
function removePath(row: Item, { keys }: Pick<ItemPath, "keys">, own: Set<Item>): void {
  let current = row;
  for (const [depth, key] of keys.entries()) {
    if (!Object.hasOwn(current, key)) return;
    if (depth === keys.length - 1) {
      delete current[key];
      return;
    }
    let inner = current[key]!;
    if (!isItem(inner)) return;
    if (!own.has(inner)) {
      inner = { ...inner };
      own.add(inner);
      setField(current, String(key), inner);
    }
    current = inner;
  }
}
