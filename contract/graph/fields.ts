import * as z from "zod";
import { compileStep, MAX_PLACEHOLDERS } from "../steps/compile-step.ts";
import { findStepType, stepTypes } from "../steps/catalogue.ts";
import { commonFields } from "../steps/common.ts";
import { shortcutOf } from "../steps/fields.ts";
import type { StepType } from "../steps/step-type.ts";
import type { Template } from "../placeholders/compile.ts";
import { isDisabled } from "./disabled.ts";
import { labelOf, type ParsedStep } from "./identity.ts";
import { quote, type Report } from "./report.ts";

interface CheckedField {
  field: string;
  schema: z.ZodType;
  optional: boolean;
  accepts: ((value: unknown) => boolean) | undefined;
}

// The stepId is checked with the ids. Determining whether a field is optional is slow, so it is done once.
const { stepId: _stepId, ...otherCommonFields } = commonFields;
const commonChecks = checksOf(otherCommonFields);
const typeChecks = new Map(stepTypes.map((entry) => [entry, checksOf(entry.fields)]));

function checksOf(fields: Readonly<Record<string, z.ZodType>>): CheckedField[] {
  return Object.entries(fields).map(([field, schema]) => ({
    field,
    schema,
    optional: schema instanceof z.ZodOptional,
    accepts: shortcutOf(schema),
  }));
}

/** Checks each field separately, so that all wrong fields are reported; returns the step's template. */
export function checkFields(step: ParsedStep, report: Report): Template | undefined {
  checkEach(commonChecks, step, report);
  const stepType = readType(step, report);
  if (stepType === undefined) return undefined;
  // A disabled step does not run, so its fields may be incomplete.
  if (isDisabled(step.fields)) return compileStep(step.fields, MAX_PLACEHOLDERS);
  checkEach(typeChecks.get(stepType) ?? [], step, report);
  checkAlternatives(stepType, step, report);
  for (const { code, field, message } of stepType.check?.(step.fields) ?? [])
    report.error(code, `${labelOf(step)}: the field "${field}" ${message}.`, step.location);

  const template = compileStep(step.fields, MAX_PLACEHOLDERS);
  reportTemplate(step, template, report);
  return template;
}

export function reportTemplate(step: ParsedStep, { problems }: Template, report: Report): void {
  for (const { path, message } of problems)
    report.error(
      "invalid_field",
      `${labelOf(step)}: in the field ${quote(path)}, ${endSentence(message)}`,
      step.location,
    );
}

function readType(step: ParsedStep, report: Report): StepType | undefined {
  const name = step.fields["type"];
  const stepType = findStepType(name);
  if (stepType !== undefined) return stepType;
  const known = `Choose one of ${stepTypes.map((entry) => entry.type).join(", ")}.`;
  if (name === undefined || name === null || name === "")
    report.error("missing_field", `${labelOf(step)} has no type. ${known}`, step.location);
  else {
    const shown = typeof name === "string" ? quote(name) : "a value that is not text";
    report.error("unknown_step_type", `${labelOf(step)} has ${shown} as its type. ${known}`, step.location);
  }
  return undefined;
}

function checkEach(checks: readonly CheckedField[], step: ParsedStep, report: Report): void {
  for (const { field, schema, optional, accepts } of checks) {
    const value = step.fields[field];
    if (value === undefined) {
      if (!optional) reportMissing(field, schema, step, report);
      continue;
    }
    // A cleared form field arrives as null; for an optional field that is the same as leaving it out.
    if ((value === null && optional) || accepts?.(value)) continue;
    const result = schema.safeParse(value);
    if (result.success) continue;
    if (!optional && (value === null || value === "")) {
      reportMissing(field, schema, step, report);
      continue;
    }
    const issue = result.error.issues[0];
    const path = [field, ...(issue?.path ?? [])].map(String).join(".");
    report.error(
      "invalid_field",
      `${labelOf(step)}: the field ${quote(path)} ${issue?.message ?? "is not valid"}.`,
      step.location,
    );
  }
}

function reportMissing(field: string, schema: z.ZodType, step: ParsedStep, report: Report): void {
  report.error(
    "missing_field",
    `${labelOf(step)} needs the field "${field}": ${endSentence(schema.description ?? "it must be given")}`,
    step.location,
  );
}

function checkAlternatives(stepType: StepType, step: ParsedStep, report: Report): void {
  if (stepType.alternatives === undefined) return;
  const { fields, exclusive } = stepType.alternatives;
  const given = fields.filter((field) => step.fields[field] !== undefined && step.fields[field] !== null);
  const choices = fields.map((field) => `"${field}"`).join(" or ");
  if (given.length === 0)
    report.error("missing_field", `${labelOf(step)} needs ${choices}. Give one of them.`, step.location);
  else if (exclusive && given.length > 1)
    report.error(
      "invalid_field",
      `${labelOf(step)} takes ${choices}, not both. Remove one of them.`,
      step.location,
    );
}

function endSentence(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}
