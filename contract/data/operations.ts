import type { JsonValue } from "../placeholders/json-value.ts";
import { type DataOperation, dataOperations } from "./choices.ts";
import { DataProblem } from "./data-problem.ts";
import { filterItems } from "./filter.ts";
import { groupItems } from "./group.ts";
import { createItemKeys } from "./item-key.ts";
import { mergeItems } from "./merge.ts";
import { type DataFields, readCount, readList, readPaths, readWord } from "./read-fields.ts";
import { pickFields, splitOut } from "./shape.ts";
import { sortItems } from "./sort.ts";
import { pauseEvery, type Work } from "./work.ts";

const operations: Readonly<Record<DataOperation, (fields: DataFields, maxBytes: number) => Work>> = {
  filter: filterItems,
  sort: sortItems,
  limit: limitItems,
  deduplicate,
  group: groupItems,
  merge: mergeItems,
  split_out: splitOut,
  pick: pickFields,
};

/**
 * The work of a data step with rendered fields: the service runs it in the step, the page for the preview. Throws a
 * DataProblem, or DataTooLarge for a result over `maxBytes`. The items of the result are shared with the input.
 */
export function* dataWork(fields: DataFields, maxBytes: number): Work {
  const operation = dataOperations.find((one) => one === fields["operation"]);
  if (operation === undefined)
    throw new DataProblem("operation", `must be one of ${dataOperations.join(", ")}`);
  return yield* operations[operation](fields, maxBytes);
}

// oxlint-disable-next-line require-yield
function* limitItems(fields: DataFields): Work {
  const items = readList(fields, "items");
  const count = readCount(fields, "count", items.length);
  const skip = readCount(fields, "skip", 0);
  if (readWord(fields, "from", ["start", "end"]) === "start") return items.slice(skip, skip + count);
  const end = Math.max(0, items.length - skip);
  return items.slice(Math.max(0, end - count), end);
}

function* deduplicate(fields: DataFields, maxBytes: number): Work {
  const items = readList(fields, "items");
  const paths = readPaths(fields, "by");
  const isLast = readWord(fields, "keep", ["first", "last"]) === "last";
  const keys = createItemKeys(paths, maxBytes);
  const byKey = new Map<string, JsonValue>();
  for (const [index, item] of items.entries()) {
    const key = keys.of(item);
    if (isLast || !byKey.has(key)) byKey.set(key, item);
    if (index % pauseEvery(paths.length) === 0) yield;
  }
  return [...byKey.values()];
}
