import { aggregateFunctions, type AggregateFunction } from "../../contract/data/choices.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { unaryOperators } from "../../contract/steps/condition.ts";

/**
 * Settings of a data step that are edited as rows. Each `read` returns undefined for a value that rows do not show, such
 * as a placeholder; each `write` returns undefined when nothing is left.
 */

/** A field to sort by. */
export interface OrderRow {
  field: string;
  descending: boolean;
}

export function readOrder(value: unknown): OrderRow[] | undefined {
  if (value === undefined) return [{ field: "", descending: false }];
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === "string")) return undefined;
  return value.map((entry) =>
    entry.startsWith("-") ? { field: entry.slice(1), descending: true } : { field: entry, descending: false },
  );
}

export function writeOrder(rows: readonly OrderRow[]): string[] | undefined {
  const named = rows.filter(({ field }) => field.trim() !== "");
  return named.length === 0 ? undefined : named.map((row) => `${row.descending ? "-" : ""}${row.field}`);
}

/** One more condition of a filter. */
export interface ConditionRow {
  field: string;
  operator: string;
  value: unknown;
}

const CONDITION_KEYS: ReadonlySet<string> = new Set(["field", "operator", "value"]);

export function readConditions(value: unknown): ConditionRow[] | undefined {
  if (value === undefined) return [{ field: "", operator: "eq", value: undefined }];
  if (!Array.isArray(value)) return undefined;
  const rows: ConditionRow[] = [];
  for (const entry of value as unknown[]) {
    if (!isRecord(entry) || !Object.keys(entry).every((key) => CONDITION_KEYS.has(key))) return undefined;
    const { field = "", operator = "eq", value: compared } = entry as Record<string, unknown>;
    if (typeof field !== "string" || typeof operator !== "string") return undefined;
    rows.push({ field, operator, value: compared });
  }
  return rows;
}

export function writeConditions(rows: readonly ConditionRow[]): object[] | undefined {
  const filled = rows.filter(
    ({ field, operator, value }) => field !== "" || value !== undefined || unaryOperators.has(operator),
  );
  if (filled.length === 0) return undefined;
  return filled.map(({ field, operator, value }) => ({
    ...(field === "" ? {} : { field }),
    operator,
    ...(value === undefined || unaryOperators.has(operator) ? {} : { value }),
  }));
}

/** A computed field of a group. */
export interface AggregateRow {
  compute: AggregateFunction;
  field: string;
  name: string;
}

const AGGREGATE = /^([a-z]+)(?:\s*\(([^]*)\))?$/;

export function readAggregates(value: unknown): AggregateRow[] | undefined {
  if (value === undefined) return [];
  if (!isRecord(value)) return undefined;
  const rows: AggregateRow[] = [];
  for (const [name, text] of Object.entries(value as Record<string, unknown>)) {
    const [, word, field = ""] = AGGREGATE.exec(typeof text === "string" ? text.trim() : "") ?? [];
    const compute = aggregateFunctions.find((one) => one === word);
    if (compute === undefined) return undefined;
    rows.push({ compute, field, name });
  }
  return rows;
}

/** Rows of the same name are one field: the last of them. */
export function writeAggregates(rows: readonly AggregateRow[]): Record<string, string> | undefined {
  if (rows.length === 0) return undefined;
  return Object.fromEntries(
    rows.map(({ compute, field, name }) => [
      name,
      field === "" && compute === "count" ? compute : `${compute}(${field})`,
    ]),
  );
}

/** `count`, `total_sum`: the name of a computed field until it gets another one. */
export function aggregateName({ compute, field }: Pick<AggregateRow, "compute" | "field">): string {
  const last = field.split(/[.[\]"]+/).findLast((part) => part !== "");
  return last === undefined ? compute : `${last}_${compute}`;
}
