import { compileTemplate } from "../../contract/placeholders/compile.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { resolvedValue } from "./resolved-value.ts";
import type { StepScope } from "./step-scope.ts";

const MAX_ITEMS = 50;
const MAX_FIELDS = 60;
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}_$-]+$/u;

type Accepts = (value: unknown) => boolean;
const anything: Accepts = () => true;

/** The names of the fields in the items of a list field, with the data of the last run; none while it has no data. */
export function itemFieldsOf(list: unknown, scope: StepScope, accepts = anything): string[] {
  const hasPlaceholders = compileTemplate((list ?? null) as JsonValue).references.length > 0;
  return fieldsOfItems(hasPlaceholders ? resolvedValue(list, scope)?.value : list, accepts);
}

/** `customer`, `customer.email`: names as a data step takes them, in the order of their first items. */
export function fieldsOfItems(items: unknown, accepts = anything): string[] {
  if (!Array.isArray(items)) return [];
  const names = new Set<string>();
  for (const item of items.slice(0, MAX_ITEMS)) {
    if (!isRecord(item)) continue;
    for (const [name, value] of Object.entries(item)) {
      if (accepts(value)) names.add(asPath(name));
      if (!isRecord(value) || !PLAIN_NAME.test(name)) continue;
      for (const [inner, deep] of Object.entries(value))
        if (PLAIN_NAME.test(inner) && accepts(deep)) names.add(`${name}.${inner}`);
    }
    if (names.size >= MAX_FIELDS) break;
  }
  return [...names].slice(0, MAX_FIELDS);
}

/** A dot or a bracket in a name would be read as a path. */
function asPath(name: string): string {
  return /[.[\]]/.test(name) || name === "" ? `[${JSON.stringify(name)}]` : name;
}
