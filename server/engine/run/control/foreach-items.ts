import { iterationPath, iterationPrefix, pathUnder } from "../../../../contract/step-path.ts";
import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { isFileReference } from "../../../../contract/file-reference.ts";
import type { ControlCall } from "../run.ts";
import type { EnteredItem, ItemGate } from "./item-gate.ts";

const MAX_BATCH = 10_000;
const DEFAULT_CONCURRENCY = 10;
const MAX_CONCURRENCY = 100;

/** Iterations that run at the same time. */
export function concurrencyOf({ fields }: ControlCall): number {
  const given = Math.floor(Number(fields["concurrency"] ?? DEFAULT_CONCURRENCY));
  return Math.min(MAX_CONCURRENCY, Math.max(1, given || 1));
}

function batchSizeOf({ fields }: ControlCall): number | undefined {
  const given = fields["batchSize"];
  if (given === undefined || given === null) return undefined;
  return Math.min(MAX_BATCH, Math.max(1, Math.floor(Number(given)) || 1));
}

/** The list that is recorded. Of a file it holds where each item is, not its rows. */
export async function listOf(call: ControlCall): Promise<JsonValue[] | undefined> {
  const { run, scope, fields } = call;
  const { items } = fields;
  const size = batchSizeOf(call);
  if (Array.isArray(items)) return size === undefined ? items : batchesOf(items, size);
  const { fileItems, budgets } = run.deps;
  if (fileItems === undefined || !isFileReference(items)) return undefined;
  const { signal } = scope.stop;
  const options = { rowsPerItem: size ?? 1, maxItems: budgets.maxJournalEntries, signal };
  return fileItems.split(run.task.ownerId, items, options);
}

function batchesOf(items: readonly JsonValue[], size: number): JsonValue[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** The rows of a file are read when their iteration starts, and not for one that a restart finds completed. */
export async function itemAt(
  call: ControlCall,
  gate: ItemGate,
  items: readonly JsonValue[],
  index: number,
  signal: AbortSignal,
): Promise<EnteredItem<JsonValue>> {
  const { run, path, step, fields } = call;
  const item = items[index] ?? null;
  const { fileItems, budgets } = run.deps;
  if (fileItems === undefined || !isFileReference(fields["items"])) return { value: item, leave: nothing };
  const paths =
    step.inner === undefined
      ? [iterationPath(path, index)]
      : [...step.inner.steps.keys()].map((id) => pathUnder(iterationPrefix(path, index), id));
  if (paths.every((each) => run.memory.get(each)?.ended !== undefined))
    return { value: null, leave: nothing };
  const read = async (): Promise<JsonValue> => {
    const rows = await fileItems.read(run.task.ownerId, item, {
      concurrency: concurrencyOf(call),
      turn: () => run.deps.largeValues.turn(),
      signal,
    });
    return batchSizeOf(call) === undefined ? (rows[0] ?? null) : rows;
  };
  return gate.enter(read, (value) => budgets.measure(value, budgets.maxValueBytes));
}

function nothing(): void {}
