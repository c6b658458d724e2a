import { createMeasure } from "../placeholders/json-size.ts";
import type { JsonValue } from "../placeholders/json-value.ts";
import { mergeModes } from "./choices.ts";
import { DataProblem, DataTooLarge } from "./data-problem.ts";
import { createItemKeys } from "./item-key.ts";
import { isItem, type Item, setField } from "./item-path.ts";
import { type DataFields, readList, readPaths, readText, readWord } from "./read-fields.ts";
import { PAUSE_EVERY, pauseEvery, type Work } from "./work.ts";

interface Matches {
  left: JsonValue[];
  right: JsonValue[];
}

export function* mergeItems(fields: DataFields, maxBytes: number): Work {
  const left = readList(fields, "items");
  const right = readList(fields, "with");
  const mode = readWord(fields, "mode", mergeModes);
  if (mode === "append") return left.concat(right);
  const as = readText(fields, "as");
  return mode === "position"
    ? yield* byPosition(left, right, as)
    : yield* join(fields, { left, right }, { mode, as, maxBytes });
}

function* byPosition(left: readonly JsonValue[], right: readonly JsonValue[], as: string): Work {
  const rows: JsonValue[] = [];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    rows.push(combined(left[i], right[i], as));
    if (i % PAUSE_EVERY === 0) yield;
  }
  return rows;
}

function* join(
  fields: DataFields,
  { left, right }: Matches,
  { mode, as, maxBytes }: { mode: "inner" | "left" | "right" | "full"; as: string; maxBytes: number },
): Work {
  const leftPaths = readPaths(fields, "by");
  const rightPaths = fields["withBy"] === undefined ? leftPaths : readPaths(fields, "withBy");
  if (leftPaths.length === 0) throw new DataProblem("by", "is missing: name the field that both lists share");
  if (leftPaths.length !== rightPaths.length)
    throw new DataProblem("withBy", `must name as many fields as "by": ${leftPaths.length}`);
  const pause = pauseEvery(leftPaths.length);
  const keysOfLeft = createItemKeys(leftPaths, maxBytes);
  const keysOfRight = createItemKeys(rightPaths, maxBytes);
  const byKey = new Map<string, JsonValue[]>();
  const rightKeys: (string | undefined)[] = [];
  for (const [index, item] of right.entries()) {
    const key = keysOfRight.ofJoin(item);
    rightKeys.push(key);
    if (key !== undefined) {
      const same = byKey.get(key);
      if (same === undefined) byKey.set(key, [item]);
      else same.push(item);
    }
    if (index % pause === 0) yield;
  }
  const leftKeys: (string | undefined)[] = [];
  for (const [index, item] of left.entries()) {
    leftKeys.push(keysOfLeft.ofJoin(item));
    if (index % pause === 0) yield;
  }
  yield* checkSize(left, leftKeys, byKey, maxBytes);

  const rows: JsonValue[] = [];
  const matched = new Set<string>();
  for (const [index, item] of left.entries()) {
    const key = leftKeys[index];
    const partners = key === undefined ? undefined : byKey.get(key);
    if (key !== undefined && partners !== undefined) matched.add(key);
    for (const partner of partners ?? []) {
      rows.push(combined(item, partner, as));
      if (rows.length % PAUSE_EVERY === 0) yield;
    }
    if (partners === undefined && (mode === "left" || mode === "full"))
      rows.push(combined(item, undefined, as));
    if (index % PAUSE_EVERY === 0) yield;
  }
  if (mode === "right" || mode === "full")
    for (const [index, item] of right.entries()) {
      const key = rightKeys[index];
      if (key === undefined || !matched.has(key)) rows.push(combined(undefined, item, as));
      if (index % pause === 0) yield;
    }
  return rows;
}

/**
 * The size of the matching pairs, before one is built: two lists of 100,000 items with one key would be ten billion
 * rows, which exhaust the memory of the process.
 */
function* checkSize(
  left: readonly JsonValue[],
  leftKeys: readonly (string | undefined)[],
  byKey: ReadonlyMap<string, readonly JsonValue[]>,
  maxBytes: number,
): Work<void> {
  const measure = createMeasure();
  const rightSizes = new Map<string, number>();
  let size = 0;
  for (const [index, item] of left.entries()) {
    const key = leftKeys[index];
    const partners = key === undefined ? undefined : byKey.get(key);
    if (index % PAUSE_EVERY === 0) yield;
    if (key === undefined || partners === undefined) continue;
    let partnerSize = rightSizes.get(key);
    if (partnerSize === undefined) {
      partnerSize = 0;
      for (const [at, partner] of partners.entries()) {
        partnerSize += measure(partner, maxBytes);
        if (at % PAUSE_EVERY === PAUSE_EVERY - 1) yield;
      }
      rightSizes.set(key, partnerSize);
    }
    size += partnerSize + partners.length * measure(item, maxBytes);
    if (size > maxBytes) throw new DataTooLarge();
  }
}

/** The fields of both; those of the second win, or are all in one field. */
function combined(left: JsonValue | undefined, right: JsonValue | undefined, as: string): Item {
  const row: Item = { ...fieldsOf(left, "items") };
  if (as !== "") setField(row, as, right ?? null);
  else for (const [name, value] of Object.entries(fieldsOf(right, "with"))) setField(row, name, value);
  return row;
}

function fieldsOf(item: JsonValue | undefined, field: string): Item {
  if (item === undefined) return {};
  if (isItem(item)) return item;
  throw new DataProblem(
    field,
    `must be a list of objects to merge them, and has ${JSON.stringify(item).slice(0, 100)}`,
  );
}
