import type { ErrorCode } from "../../contract/errors.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";

/** A failure that a retry cannot change, so the engine does not retry the step. */
export function permanentFailure(code: ErrorCode, message: string, cause?: unknown): AppError {
  return new AppError(code, message, { permanent: true, cause });
}

/** For values of placeholders, which are known only at run time. Other fields are checked when a workflow is saved. */
export function invalidField(field: string, message: string): AppError {
  return permanentFailure("invalid_field", `The field "${field}" ${message}.`);
}

export function requiredText(fields: Readonly<Record<string, JsonValue>>, field: string): string {
  const value = fields[field];
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string" || value === "")
    throw invalidField(field, `must be text, not ${describeValue(value)}${isEmpty(value) ? NO_VALUE : ""}`);
  return value;
}

/** Fields without a placeholder are checked when the workflow is saved, so a placeholder left this one empty. */
const NO_VALUE =
  ". Its placeholder has no value in this run: check the input and the outputs of earlier steps";

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === "";
}

/** Text of millions of characters would be stored with the error. */
const MAX_SHOWN = 100;

export function describeValue(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "nothing";
  if (value === "") return "empty text";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value !== "string" || value.length <= MAX_SHOWN) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, MAX_SHOWN))} …`;
}
