import type { AppAction, AppTrigger } from "../../apps/define-app.ts";
import { type AppField, inputSchemaOf, limitField } from "../../contract/apps.ts";
import { setField } from "../../contract/data/item-path.ts";
import { checkInput } from "../../contract/input/check-input.ts";
import type { InputField, InputSchema } from "../../contract/input/input-field.ts";
import { readTexts } from "../../contract/input/read-texts.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { permanentFailure } from "../steps/step-failure.ts";

/** Apps never change while a process runs: what follows from one is computed once. */
const fieldsOf = new WeakMap<object, Readonly<Record<string, AppField>>>();
const schemaOf = new WeakMap<object, InputSchema>();

function remembered<T>(known: WeakMap<object, T>, key: object, compute: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = compute();
  known.set(key, value);
  return value;
}

/** The fields of an action; of a list, `limit` as well. */
export function inputFieldsOf(operation: AppAction | AppTrigger): Readonly<Record<string, AppField>> {
  const { input } = operation;
  return "items" in operation && operation.items !== undefined && input["limit"] === undefined
    ? remembered(fieldsOf, operation, () => ({ ...input, limit: limitField }))
    : input;
}

/** The input of one run, with defaults. Values of placeholders have any type, and one that is missing is null. */
export function readInput(
  fields: Readonly<Record<string, AppField>>,
  given: JsonValue | undefined,
): Record<string, JsonValue> {
  const schema = remembered(schemaOf, fields, () => inputSchemaOf(fields));
  const values: Record<string, JsonValue> = {};
  if (isRecord(given))
    for (const [name, value] of Object.entries(given as Record<string, JsonValue>))
      if (value !== null) setField(values, name, asGiven(fields[name], value));
  const { input, problems } = checkInput(schema, readTexts(schema, values));
  if (problems !== undefined) throw permanentFailure("invalid_field", Object.values(problems).join(" "));
  return input as Record<string, JsonValue>;
}

/** A number is a text where one is asked for: the ids of many vendors are numbers in an answer and texts in a request. */
function asGiven(field: Pick<InputField, "type"> | undefined, value: JsonValue): JsonValue {
  return field?.type === "string" && (typeof value === "number" || typeof value === "boolean")
    ? String(value)
    : value;
}
