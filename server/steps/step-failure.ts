import type { ErrorCode } from "../../contract/errors.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";

/** A failure that stays the same however often the step is tried, so the engine does not try again. */
export function permanentFailure(code: ErrorCode, message: string, cause?: unknown): AppError {
  return new AppError(code, message, { permanent: true, cause });
}

/** A field is checked when it is saved; what a placeholder put into it is known only here. */
export function invalidField(field: string, message: string): AppError {
  return permanentFailure("invalid_field", `The field "${field}" ${message}.`);
}

export function requiredText(fields: Readonly<Record<string, JsonValue>>, field: string): string {
  const value = fields[field];
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string" || value === "")
    throw invalidField(field, `must be text, but came out as ${describeValue(value)}`);
  return value;
}

export function describeValue(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "nothing";
  if (value === "") return "empty text";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : JSON.stringify(value);
}
