import type { Step } from "../../contract/graph.ts";
import { commonForm } from "../../contract/steps/common.ts";
import { describeStepTypes, findStepType } from "../../contract/steps/catalogue.ts";
import type { FieldForm, StepForm } from "../../contract/steps/form.ts";
import type { StepType } from "../../contract/steps/step-type.ts";

/** The control for one field of a step, from its JSON Schema and the words beside its definition. */
export interface FormField {
  name: string;
  label: string;
  /** The help of the label. */
  hint: string | undefined;
  required: boolean;
  kind: FieldKind;
  /** Has several lines. */
  long: boolean;
  /** A number or choice that must not be a placeholder. */
  fixed: boolean;
  options: readonly { value: string; label: string }[];
  /** The value of a choice that an empty field means. */
  fallback: string | undefined;
  /** Grey text in the empty field. */
  example: string | undefined;
  section: NonNullable<FieldForm["section"]> | "settings";
  /** Shown although it is empty. */
  common: boolean;
  /** The field that it shares a row with. */
  before: string | undefined;
  applies: (step: Step) => boolean;
}

export type FieldKind =
  | "text"
  | "choice"
  | "yes-no"
  | "number"
  | "milliseconds"
  | "seconds"
  | "record"
  | "list"
  | "code"
  | "steps"
  | "value";

interface Property {
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  anyOf?: Property[];
  items?: Property;
  additionalProperties?: unknown;
}

/** Shown by the panel itself. `edges` are edited together with the steps that they connect. */
const NOT_IN_FORM = new Set(["stepId", "type", "name", "position", "disabled", "edges"]);

const YES_NO: Readonly<Record<string, string>> = { true: "Yes", false: "No" };

const fieldsByType = new Map(
  describeStepTypes().map(({ type, schema }) => [type, fieldsOf(schema, findStepType(type)!)]),
);

/** All fields of a type, in the order in which they are filled in. */
export function formFields(type: unknown): readonly FormField[] {
  return fieldsByType.get(findStepType(type)?.type ?? "") ?? [];
}

function fieldsOf(schema: Record<string, unknown>, stepType: StepType): FormField[] {
  const properties = (schema["properties"] ?? {}) as Record<string, Property>;
  const required = new Set((schema["required"] ?? []) as string[]);
  const names = Object.keys(properties).filter((name) => !NOT_IN_FORM.has(name));
  return inOrder(names, stepType.form).map((name) =>
    toField(name, properties[name]!, required.has(name), stepType.form[name] ?? {}),
  );
}

/** As defined, but a common field that the type has among its settings is before the next one that its form names. */
function inOrder(names: readonly string[], form: StepForm): readonly string[] {
  const isCommon = (name: string): boolean => name in commonForm;
  const ordered = [...names];
  for (const name of names.filter((each) => isCommon(each) && form[each]?.common === true)) {
    const presented = Object.keys(form);
    const next = presented.slice(presented.indexOf(name) + 1).find((each) => !isCommon(each));
    if (next === undefined) continue;
    ordered.splice(ordered.indexOf(name), 1);
    ordered.splice(ordered.indexOf(next), 0, name);
  }
  return ordered;
}

function toField(name: string, property: Property, required: boolean, form: FieldForm): FormField {
  const isCommon = form.common ?? false;
  return {
    name,
    label: form.label ?? sentence(name),
    // The field takes “30 s” as well.
    hint:
      form.control === "milliseconds"
        ? (form.hint ?? property.description)?.replace(" in milliseconds", "")
        : (form.hint ?? property.description),
    required,
    kind: kindOf(name, property, form),
    long: form.control === "long",
    fixed: property.anyOf === undefined,
    options: (property.enum ?? (property.type === "boolean" ? [true, false] : [])).map((value) => ({
      value: String(value),
      label: form.words?.[String(value)] ?? YES_NO[String(value)] ?? String(value),
    })),
    fallback: form.fallback,
    example: form.example,
    // A type can show a field of every step, such as the time limit, among its own settings.
    section: isCommon ? "settings" : (form.section ?? "settings"),
    common: required || isCommon || form.before !== undefined,
    before: form.before,
    applies: form.applies ?? (() => true),
  };
}

function kindOf(name: string, property: Property, form: FieldForm): FieldKind {
  if (property.enum !== undefined) return "choice";
  if (property.type === "boolean") return "yes-no";
  if (form.control === "code") return "code";
  if (form.control === "milliseconds" || form.control === "seconds") return form.control;
  const variants = property.anyOf ?? [property];
  if (variants.some(({ type }) => type === "number" || type === "integer")) return "number";
  if (name === "steps" && property.type === "array") return "steps";
  const isTextList = variants.some(({ type, items }) => type === "array" && items?.type === "string");
  if (isTextList && form.control !== "line") return "list";
  if (property.type === "object" && typeof property.additionalProperties === "object") return "record";
  return property.type === "string" ? "text" : "value";
}

/** `responseFormat` → `Response format`. */
function sentence(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The fields of a step's settings: those to show, and those that can be added. */
export interface SettingFields {
  shown: readonly FormField[];
  addable: readonly FormField[];
  /** Fields of which exactly one is used, when there are such; one of them is shown. */
  choice: readonly FormField[];
}

/** `added` are fields that the user asked for and that are still empty. */
export function settingFields(step: Step, added: ReadonlySet<string>): SettingFields {
  const fields = formFields(step.type).filter((field) => field.section === "settings" && field.applies(step));
  const { alternatives } = findStepType(step.type) ?? {};
  const isUsed = ({ name }: FormField): boolean => step[name] !== undefined || added.has(name);
  const choice =
    alternatives?.exclusive === true ? fields.filter(({ name }) => alternatives.fields.includes(name)) : [];
  const chosen = choice.find(isUsed) ?? choice[0];
  const firstAlternative = alternatives?.fields.some((name) => step[name] !== undefined || added.has(name))
    ? undefined
    : alternatives?.fields[0];
  const shown = fields.filter((field) =>
    choice.includes(field)
      ? field === chosen
      : field.common || isUsed(field) || field.name === firstAlternative,
  );
  return {
    shown,
    addable: fields.filter((field) => !shown.includes(field) && !choice.includes(field)),
    choice,
  };
}

/** Parses a field that takes any value: JSON if the text is valid JSON, otherwise the text itself. */
export function parseValue(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (/^[[{]|^-?\d|^(true|false|null)$/.test(trimmed)) {
    try {
      return JSON.parse(trimmed) as unknown;
    } catch {
      // Half-typed JSON, or text that only starts like JSON.
    }
  }
  return text;
}

export function formatValue(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
