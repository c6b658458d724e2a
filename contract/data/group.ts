import { asNumber } from "../compare.ts";
import { MIN_VALUE_SIZE } from "../placeholders/json-size.ts";
import type { JsonValue } from "../placeholders/json-value.ts";
import { type AggregateFunction, aggregateFunctions } from "./choices.ts";
import { DataProblem, DataTooLarge } from "./data-problem.ts";
import { createItemKeys } from "./item-key.ts";
import { type Item, type ItemPath, itemPath, setField, valueAt } from "./item-path.ts";
import { type DataFields, readList, readPaths, readRecord } from "./read-fields.ts";
import { compareRanks, rankOf } from "./sort.ts";
import { PAUSE_EVERY, pauseEvery, type Work } from "./work.ts";

interface Aggregate {
  name: string;
  compute: AggregateFunction;
  path: ItemPath;
}

/** `sum(amount)`, `count`. */
const AGGREGATE = /^([a-z]+)(?:\s*\(([^]*)\))?$/;

/** One result for each key, in the order of their first items. Without `by` all items are one group. */
export function* groupItems(fields: DataFields, maxBytes: number): Work {
  const items = readList(fields, "items");
  const paths = readPaths(fields, "by");
  const aggregates = readRecord(fields, "aggregates").map(([name, text]) => aggregateOf(name, text));
  const keys = createItemKeys(paths, maxBytes);
  const groups = new Map<string, JsonValue[]>();
  for (const [index, item] of items.entries()) {
    const key = paths.length === 0 ? "" : keys.of(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
    if (index % pauseEvery(paths.length) === 0) yield;
  }
  const names = namesOf(paths);
  const lists = aggregates.filter(({ compute }) => compute === "list").length;
  const listBytes = items.length * lists * MIN_VALUE_SIZE;
  checkRows(groups.size, [...names, ...aggregates.map(({ name }) => name)], maxBytes - listBytes);
  const pause = pauseEvery(names.length + aggregates.length);
  const results: JsonValue[] = [];
  for (const group of groups.values()) {
    const result: Item = {};
    for (const [index, path] of paths.entries()) setField(result, names[index]!, valueAt(group[0]!, path));
    if (aggregates.length === 0) {
      setField(result, "count", group.length);
      setField(result, "items", group);
    }
    for (const aggregate of aggregates) setField(result, aggregate.name, yield* computed(aggregate, group));
    results.push(result);
    if (results.length % pause === 0) yield;
  }
  return results;
}

/** The last name of a path; the whole path where two would have the same. */
export function namesOf(paths: readonly ItemPath[]): string[] {
  const counts = new Map<string, number>();
  for (const { name } of paths) counts.set(name, (counts.get(name) ?? 0) + 1);
  return paths.map(({ name, keys }) => (counts.get(name) === 1 ? name : keys.join(".")));
}

/**
 * The least that rows with these names take, before one is built: 20,000 empty items with a thousand names each would
 * exhaust the memory of the process.
 */
export function checkRows(rows: number, names: readonly string[], maxBytes: number): void {
  let rowSize = MIN_VALUE_SIZE;
  for (const name of new Set(names)) rowSize += name.length + MIN_VALUE_SIZE;
  if (rows * rowSize > maxBytes) throw new DataTooLarge();
}

function aggregateOf(name: string, text: string): Aggregate {
  const [, word, path = ""] = AGGREGATE.exec(text.trim()) ?? [];
  const compute = aggregateFunctions.find((one) => one === word);
  if (compute === undefined)
    throw new DataProblem(
      "aggregates",
      `must be texts such as count or sum(amount), with one of ${aggregateFunctions.join(", ")}, not ${JSON.stringify(text.slice(0, 100))}`,
    );
  if (path.trim() === "" && (compute === "sum" || compute === "average"))
    throw new DataProblem("aggregates", `must name a field to compute, such as ${compute}(amount)`);
  return { name, compute, path: itemPath(path) };
}

function* computed({ name, compute, path }: Aggregate, group: readonly JsonValue[]): Work<JsonValue> {
  if (compute === "first") return valueAt(group[0]!, path);
  if (compute === "last") return valueAt(group.at(-1)!, path);
  let [count, sum] = [0, 0];
  let extreme: JsonValue = null;
  const values: JsonValue[] = [];
  for (const [index, item] of group.entries()) {
    if (index % PAUSE_EVERY === PAUSE_EVERY - 1) yield;
    const value = valueAt(item, path);
    if (compute === "list") values.push(value);
    if (value === null) continue;
    count += 1;
    if (compute === "sum" || compute === "average") sum += numberOf(value, name);
    if (compute !== "min" && compute !== "max") continue;
    const order = extreme === null ? -1 : compareRanks(rankOf(value), rankOf(extreme));
    if (extreme === null || (compute === "min" ? order < 0 : order > 0)) extreme = value;
  }
  if (compute === "count") return count;
  if (compute === "list") return values;
  if (compute === "sum") return sum;
  if (compute === "average") return count === 0 ? null : sum / count;
  return extreme;
}

function numberOf(value: JsonValue, name: string): number {
  const number = asNumber(value);
  if (number !== undefined) return number;
  throw new DataProblem(
    "aggregates",
    `cannot compute "${name}": ${JSON.stringify(value).slice(0, 100)} is not a number`,
  );
}
