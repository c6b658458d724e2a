import * as z from "zod";
import { commonFields, commonForm } from "./common.ts";
import type { StepForm } from "./form.ts";

export type StepCategory = "connect" | "ai" | "data" | "flow";

export interface FieldProblem {
  code: "missing_field" | "invalid_field";
  field: string;
  /** States what a valid value is; follows the field name. */
  message: string;
}

/**
 * Properties of a type that the validator, the engine and the page need in addition to its fields. They check the trait and
 * never compare the type's name, so that a new type works everywhere once it is defined.
 */
export interface StepTraits {
  /**
   * The output decides which outgoing edges are taken: by their `condition` ("outcome") or their `caseValue` ("case").
   * "timeout": when its `timedOut` is true, edges with the condition "timeout" replace the others.
   */
  branching?: "outcome" | "case" | "timeout";
  /** The step only computes: no I/O, no waiting, short enough to run inline. Such a step may run again at no cost. */
  pure?: (step: Readonly<Record<string, unknown>>) => boolean;
  /** The engine runs it without a step runner, because it waits or starts other tasks. */
  control?: boolean;
  /** It contains `steps` and `edges`, which run once for each item or iteration. */
  loop?: boolean;
  /** Fields of a loop that are rendered before each iteration, with its `item` and `index`. They are a comparison. */
  iterationFields?: readonly string[];
  /** It may start other tasks, which are cancelled when this one fails or is cancelled. */
  startsTasks?: boolean;
  /** The field that holds a JSONata expression; the steps that it names count as references. */
  expressionField?: string;
  /** The field that holds JavaScript or TypeScript; the steps and variables that it names count as references. */
  scriptField?: string;
  /** The field that lists the names of the secrets that the runner receives. */
  secretsField?: string;
}

export interface StepType {
  type: string;
  aliases: readonly string[];
  title: string;
  description: string;
  category: StepCategory;
  /** Words by which people look for it and that are in neither its title nor its description. */
  synonyms: readonly string[];
  traits: StepTraits;
  /** The fields of this type, without the common ones. */
  fields: Readonly<Record<string, z.ZodType>>;
  /** Fields that are not rendered: placeholders in them are not filled in. */
  literalFields: ReadonlySet<string>;
  /** Two or more fields of which one is required; `exclusive` when only one is allowed. */
  alternatives?: { fields: readonly string[]; exclusive: boolean };
  /** Rules between fields. The fields themselves may be invalid. */
  check?: (step: Record<string, unknown>) => FieldProblem[];
  /** How a form shows the fields, the common ones included. */
  form: StepForm;
  /** The name of the type where the title is too long, such as on the canvas. */
  shortTitle: string;
  /** The main setting of a step in words, for lists and the canvas. */
  summary: (step: Readonly<Record<string, unknown>>) => string;
  /** The summary says enough without the name of the type. */
  isSummaryComplete: boolean;
  /** Choices that a new step starts with; data is never invented. */
  initial: Readonly<Record<string, unknown>>;
  /** All fields, the common ones included; unknown fields are kept. */
  schema: z.ZodObject;
  example: Record<string, unknown>;
}

interface StepTypeDefinition {
  type: string;
  aliases?: readonly string[];
  title: string;
  description: string;
  category: StepCategory;
  synonyms: readonly string[];
  traits?: StepTraits;
  fields: Record<string, z.ZodType>;
  literalFields?: readonly string[];
  alternatives?: { fields: readonly string[]; exclusive: boolean };
  check?: (step: Record<string, unknown>) => FieldProblem[];
  form?: StepForm;
  shortTitle?: string;
  summary?: (step: Readonly<Record<string, unknown>>) => string;
  isSummaryComplete?: boolean;
  initial?: Readonly<Record<string, unknown>>;
  example: Record<string, unknown>;
}

export function defineStepType(definition: StepTypeDefinition): StepType {
  const aliases = definition.aliases ?? [];
  const { stepId, name, ...policy } = commonFields;
  const form = definition.form ?? {};
  const sharedForm = Object.entries(commonForm).filter(([field]) => !Object.hasOwn(form, field));
  return {
    ...definition,
    aliases,
    traits: definition.traits ?? {},
    literalFields: new Set(definition.literalFields),
    // A common field that a type presents itself keeps its place in the form of the type.
    form: { ...Object.fromEntries(sharedForm), ...form },
    shortTitle: definition.shortTitle ?? definition.title,
    summary: definition.summary ?? (() => ""),
    // What a condition or a switch compares says enough.
    isSummaryComplete: definition.isSummaryComplete ?? definition.traits?.branching !== undefined,
    initial: definition.initial ?? {},
    schema: z.looseObject({
      stepId,
      type: z.enum([definition.type, ...aliases]).describe("The type of the step."),
      name,
      ...definition.fields,
      ...policy,
    }),
  };
}
