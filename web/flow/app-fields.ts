import type { AppField } from "../../contract/apps.ts";
import type { FieldKind, FormField } from "./form-fields.ts";

export type AppFields = Readonly<Record<string, AppField>>;

/** The control for a field of an app's action. */
export function appFormField(name: string, field: AppField): FormField {
  const { title, description, required, example, default: fallback, enum: choices = [] } = field;
  return {
    name,
    label: title,
    hint: description,
    required: required === true,
    kind: kindOf(field),
    long: field.format === "multiline" || (field.type === "object" && field.properties !== undefined),
    fixed: false,
    options:
      field.type === "boolean"
        ? [
            { value: "true", label: "Yes" },
            { value: "false", label: "No" },
          ]
        : choices.map((choice) => ({ value: String(choice), label: String(choice) })),
    fallback: fallback === undefined ? undefined : String(fallback),
    example: example ?? (fallback === undefined ? undefined : JSON.stringify(fallback)),
    section: "settings",
    common: true,
    before: undefined,
    applies: () => true,
  };
}

/** Numbers, lists and objects are values: they may also be a placeholder. */
function kindOf({ type, enum: choices, properties }: AppField): FieldKind {
  if (choices !== undefined || type === "boolean") return "choice";
  if (type === "string") return "text";
  return type === "object" && properties === undefined ? "record" : "value";
}

/** What a control returns, as the type of the field. */
export function asFieldValue({ type }: AppField, value: unknown): unknown {
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  if ((type === "number" || type === "integer") && typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value))
    return Number(value);
  return value;
}

/** The fields that are shown: the usual ones, those with a value, and those that were asked for. */
export function shownAppFields(
  fields: AppFields,
  given: Readonly<Record<string, unknown>>,
  added: ReadonlySet<string>,
): { shown: [string, AppField][]; addable: [string, AppField][] } {
  const entries = Object.entries(fields);
  const isShown = ([name, { advanced }]: [string, AppField]): boolean =>
    advanced !== true || given[name] !== undefined || added.has(name);
  return { shown: entries.filter(isShown), addable: entries.filter((entry) => !isShown(entry)) };
}

/** The values that the options of a field depend on. Undefined while one is missing or is a placeholder. */
export function optionsInput(
  { dependsOn = [] }: AppField,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const values = dependsOn.map((name) => [name, given[name]] as const);
  const isOpen = values.some(
    ([, value]) => value === undefined || value === "" || (typeof value === "string" && value.includes("{{")),
  );
  return isOpen ? undefined : Object.fromEntries(values);
}
