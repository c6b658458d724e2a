import type { Problem } from "../../../contract/graph.ts";
import { isRecord } from "../../../contract/placeholders/json-value.ts";
import { describeStepTypes, type StepTypeDescription } from "../../../contract/steps/catalogue.ts";
import { describeApps } from "../../apps/prompt.ts";
import type { JsonSchema } from "../../models/language-model.ts";

/** Loose on purpose: the graph validator is stricter and has better messages than a schema. */
export const ANSWER_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string", description: "A short name for the workflow" },
    description: { type: "string", description: "What it does, in a sentence" },
    steps: { type: "array", items: { type: "object" } },
    edges: { type: "array", items: { type: "object" } },
  },
  required: ["steps"],
};

const SHOWN_ERRORS = 20;

/** Generated from the step schemas, so that the prompt matches the validator. */
export function systemPrompt(description = ""): string {
  return `You turn a description into a workflow: a graph of steps joined by edges. You only design it; nothing is run.

Answer with one JSON object: {"name", "description", "steps": [...], "edges": [...]}.

Rules
- Every step has "stepId" (short, lower case, words joined by "-", unique) and "type", one of the types below. No other types, no start, trigger or end nodes.
- Every edge has "id", "source" and "target" (stepIds). No circles, no edge from a step to itself. All steps belong together; steps that can run at the same time are joined to the same step before them.
- Edges that leave a condition carry "condition": "true" or "false"; edges that leave a switch carry "caseValue", one without it is the default; "condition": "error" is taken when the source failed.
- Text fields may hold placeholders: {{input}} and {{input.name}} for what the run is started with, {{steps.<stepId>.output}} (and .status, .error) for an earlier step, {{item}} and {{index}} inside a foreach, {{vars.name}} and {{secrets.name}} for settings of the owner, {{now}}. {{= … }} holds one JavaScript expression over the same values, such as {{= input.items.length * 2 }}. Only steps that come before may be referred to.
- A secret is never written out: use {{secrets.name}}. An address or a recipient that was not given is {{vars.name}} or {{input.name}}; do not invent one.
- The steps inside a foreach are in its own "steps" (and "edges"), with ids that occur nowhere else.
- Use as few steps as the description needs, in the order in which it says them.

Step types
${describeStepTypes().map(describeType).join("\n")}

${describeApps(description)}`;
}

function describeType({ type, description, schema, example }: StepTypeDescription): string {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const alternatives = (schema["oneOf"] ?? schema["anyOf"]) as { required: string[] }[] | undefined;
  const fields = Object.entries(properties)
    .filter(([name]) => name !== "stepId" && name !== "type" && name !== "name")
    .map(([name, rule]) => `  ${name}${required.has(name) ? " (needed)" : ""}: ${descriptionOf(rule)}`);
  const oneOf = alternatives?.map((option) => option.required.join("+")).join(" or ");
  return [
    `${type}: ${description}`,
    ...(oneOf === undefined ? [] : [`  Needs ${oneOf}.`]),
    // Common fields are described once, with the first type.
    ...(type === "http" ? fields : fields.filter((line) => !COMMON.test(line))),
    `  Example: ${JSON.stringify(example)}`,
  ].join("\n");
}

const COMMON = /^ {2}(?:maxRetries|backoffMultiplier|timeoutMs|onError|join):/;

function descriptionOf(rule: unknown): string {
  if (!isRecord(rule)) return "";
  const words = Array.isArray(rule["enum"]) ? ` One of ${rule["enum"].join(", ")}.` : "";
  return `${typeof rule["description"] === "string" ? rule["description"] : ""}${words}`;
}

export function repairPrompt(errors: readonly Problem[]): string {
  const list = errors.slice(0, SHOWN_ERRORS).map(({ code, message }) => `- ${code}: ${message}`);
  return `This workflow is not valid:\n${list.join("\n")}\nAnswer with the whole corrected JSON object and nothing else.`;
}
