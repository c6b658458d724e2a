import { isStorableText } from "../../../contract/api.ts";
import { isRecord } from "../../../contract/placeholders/json-value.ts";

/** Text that can be stored; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" && isStorableText(value) ? value : "";
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** A value inside of parameters: `at(parameters, "options", "timeout")`. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** The entries of a fixed collection: `{parameters: [{name, value}]}`. */
export function entriesAt(value: unknown, ...path: string[]): Readonly<Record<string, unknown>>[] {
  return listOf(at(value, ...path)).filter(isRecord);
}

/** A resource locator, `{__rl, mode, value}`, or the plain value of older versions. */
export function locatorOf(value: unknown): unknown {
  return isRecord(value) ? value["value"] : value;
}

/** The entry of a table by a text of the file, which may be `constructor`. */
export function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
