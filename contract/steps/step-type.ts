import * as z from "zod";
import { commonFields } from "./common.ts";

export type StepCategory = "connect" | "ai" | "data" | "flow";

export interface FieldProblem {
  code: "missing_field" | "invalid_field";
  field: string;
  /** What a right value looks like; it follows the field's name. */
  message: string;
}

export interface StepType {
  type: string;
  aliases: readonly string[];
  title: string;
  description: string;
  category: StepCategory;
  /** The fields of this type alone, without the common ones. */
  fields: Readonly<Record<string, z.ZodType>>;
  /** Fields that are taken as they are: placeholders in them are not filled in. */
  literalFields: ReadonlySet<string>;
  /** Two or more fields of which one is needed; `exclusive` when only one may be given. */
  alternatives?: { fields: readonly string[]; exclusive: boolean };
  /** Rules between fields, for a step whose fields may themselves be wrong. */
  check?: (step: Record<string, unknown>) => FieldProblem[];
  /** All fields, the common ones too; unknown ones are kept. */
  schema: z.ZodObject;
  example: Record<string, unknown>;
}

interface StepTypeDefinition {
  type: string;
  aliases?: readonly string[];
  title: string;
  description: string;
  category: StepCategory;
  fields: Record<string, z.ZodType>;
  literalFields?: readonly string[];
  alternatives?: { fields: readonly string[]; exclusive: boolean };
  check?: (step: Record<string, unknown>) => FieldProblem[];
  example: Record<string, unknown>;
}

export function defineStepType(definition: StepTypeDefinition): StepType {
  const aliases = definition.aliases ?? [];
  const { stepId, name, ...policy } = commonFields;
  return {
    ...definition,
    aliases,
    literalFields: new Set(definition.literalFields),
    schema: z.looseObject({
      stepId,
      type: z.enum([definition.type, ...aliases]).describe("The kind of step."),
      name,
      ...definition.fields,
      ...policy,
    }),
  };
}
