import type { InputSchema } from "../../contract/input/input-field.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { deepEqual } from "./compare-graphs.ts";
import { type FormValues, inputOf, valuesOf } from "./input-values.ts";
import { learnFields, withFields } from "./input-schema-edit.ts";

/** The fields of sample data; undefined for data that fields cannot hold without a loss, which is edited as JSON. */
export function pinnedFields(value: unknown): InputSchema | undefined {
  if (!isRecord(value)) return undefined;
  const fields = learnFields([], value).map(({ name, field: { type, items, format } }) => ({
    name,
    required: false,
    field: {
      // The next value may have decimals, and is sample data: nothing else about it is checked.
      type: type === "integer" ? ("number" as const) : type,
      ...(items === undefined ? {} : { items }),
      ...(format === "multiline" ? { format } : {}),
      // References and expressions name the field as it is.
      title: name,
    },
  }));
  const schema = withFields(undefined, fields);
  if (schema === undefined) return undefined;
  return deepEqual(pinnedValue(schema, valuesOf(schema, value)), value) ? schema : undefined;
}

/** What the fields hold; undefined while one of them is wrong. An emptied text stays in the data. */
export function pinnedValue(schema: InputSchema, values: FormValues): Record<string, JsonValue> | undefined {
  const { input, problems } = inputOf(schema, values);
  if (Object.keys(problems).length > 0) return undefined;
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, { type }]) =>
      name in input ? [[name, input[name]!]] : type === "string" ? [[name, ""]] : [],
    ),
  );
}
