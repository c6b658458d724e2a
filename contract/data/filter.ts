import { compare } from "../compare.ts";
import { isRecord, type JsonValue } from "../placeholders/json-value.ts";
import { filterOperators, type FilterOperator } from "./choices.ts";
import { DataProblem } from "./data-problem.ts";
import { type ItemPath, itemPath, valueAt } from "./item-path.ts";
import { type DataFields, checkLength, MAX_KEYS, readList, readText, readWord } from "./read-fields.ts";
import { pauseEvery, type Work } from "./work.ts";

interface Condition {
  path: ItemPath;
  operator: FilterOperator;
  value: JsonValue;
}

const CONDITION_KEYS: ReadonlySet<string> = new Set(["field", "operator", "value"]);

export function* filterItems(fields: DataFields): Work {
  const items = readList(fields, "items");
  const conditions = conditionsOf(fields);
  const isAny = readWord(fields, "match", ["all", "any"]) === "any";
  const holds = (item: JsonValue) => (condition: Condition) =>
    compare(condition.operator, valueAt(item, condition.path), condition.value);
  const kept: JsonValue[] = [];
  const pause = pauseEvery(conditions.length);
  for (const [index, item] of items.entries()) {
    if (isAny ? conditions.some(holds(item)) : conditions.every(holds(item))) kept.push(item);
    if (index % pause === 0) yield;
  }
  return kept;
}

/** The condition of the form, and those of the list beside it. */
function conditionsOf(fields: DataFields): Condition[] {
  const more = fields["conditions"] ?? [];
  if (!Array.isArray(more))
    throw new DataProblem("conditions", "must be a list of {field, operator, value} objects");
  checkLength("conditions", more.length, MAX_KEYS);
  const rows: JsonValue[] = fields["operator"] === undefined ? more : [fields as JsonValue, ...more];
  if (rows.length === 0) throw new DataProblem("operator", "is missing: name the comparison");
  return rows.map((row, index) => {
    // With a misspelt field the whole item would be compared, and nothing kept.
    if (!isRecord(row) || (row !== fields && Object.keys(row).some((key) => !CONDITION_KEYS.has(key))))
      throw new DataProblem("conditions", "must be a list of {field, operator, value} objects");
    const { operator, value } = row;
    const known = filterOperators.find((one) => one === operator);
    if (known === undefined)
      throw new DataProblem(
        index === 0 && row === fields ? "operator" : "conditions",
        `must name one of ${filterOperators.join(", ")}, not ${JSON.stringify(operator ?? null)}`,
      );
    return {
      path: itemPath(readText(row as DataFields, "field")),
      operator: known,
      value: (value ?? null) as JsonValue,
    };
  });
}
