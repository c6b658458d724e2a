import * as z from "zod";
import { agentStep } from "./agent.ts";
import { appStep } from "./app.ts";
import { approvalStep } from "./approval.ts";
import { codeStep } from "./code.ts";
import { conditionStep } from "./condition.ts";
import { dataStep } from "./data.ts";
import { convertStep } from "./convert.ts";
import { delayStep } from "./delay.ts";
import { documentQueryStep } from "./document-query.ts";
import { emailStep } from "./email.ts";
import { fileStep } from "./file.ts";
import { foreachStep } from "./foreach.ts";
import { httpStep } from "./http.ts";
import { llmStep } from "./llm.ts";
import { mcpStep } from "./mcp.ts";
import { redisStep } from "./redis.ts";
import { s3Step } from "./s3.ts";
import { sqlStep } from "./sql.ts";
import type { StepCategory, StepTraits, StepType } from "./step-type.ts";
import { storeStep } from "./store.ts";
import { switchStep } from "./switch.ts";
import { transformStep } from "./transform.ts";
import { waitEventStep } from "./wait-event.ts";
import { whileStep } from "./while.ts";
import { workflowStep } from "./workflow.ts";

/** All step types: the validator, the engine, the page and the generator read this list. */
export const stepTypes: readonly StepType[] = [
  httpStep,
  appStep,
  llmStep,
  fileStep,
  convertStep,
  agentStep,
  approvalStep,
  conditionStep,
  switchStep,
  transformStep,
  dataStep,
  codeStep,
  storeStep,
  sqlStep,
  redisStep,
  s3Step,
  foreachStep,
  whileStep,
  workflowStep,
  delayStep,
  waitEventStep,
  documentQueryStep,
  mcpStep,
  emailStep,
];

const byName = new Map(
  stepTypes.flatMap((entry) => [entry.type, ...entry.aliases].map((name) => [name, entry])),
);

/** Finds a type by its name or one of its aliases. */
export function findStepType(name: unknown): StepType | undefined {
  return typeof name === "string" ? byName.get(name) : undefined;
}

const noTraits: StepTraits = {};

/** The traits of a type; empty for an unknown type. */
export function traitsOf(type: unknown): StepTraits {
  return findStepType(type)?.traits ?? noTraits;
}

export interface StepTypeDescription {
  type: string;
  title: string;
  description: string;
  category: StepCategory;
  /** JSON Schema of the fields. */
  schema: Record<string, unknown>;
  example: Record<string, unknown>;
}

export function describeStepTypes(): StepTypeDescription[] {
  return stepTypes.map((entry) => ({
    type: entry.type,
    title: entry.title,
    description: entry.description,
    category: entry.category,
    schema: jsonSchemaOf(entry),
    example: entry.example,
  }));
}

function jsonSchemaOf(entry: StepType): Record<string, unknown> {
  const schema: Record<string, unknown> = z.toJSONSchema(entry.schema, {
    io: "input",
    unrepresentable: "any",
  });
  if (entry.alternatives !== undefined) {
    const options = entry.alternatives.fields.map((field) => ({ required: [field] }));
    schema[entry.alternatives.exclusive ? "oneOf" : "anyOf"] = options;
  }
  return schema;
}
