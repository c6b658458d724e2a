import * as z from "zod";
import { stepTypes } from "../../../contract/steps/catalogue.ts";
import type { StepType } from "../../../contract/steps/step-type.ts";
import { refTo, type Schema, type Schemas } from "./schema.ts";
import { simplify } from "./simplify-schema.ts";

/** `Step`, one component for each type of step, and `Edge`: what a workflow's graph is made of. */
export function stepComponents(): Schemas {
  const named = stepTypes.map((entry) => [nameOf(entry), entry] as const);
  const mapping = named.flatMap(([name, { type, aliases }]) =>
    [type, ...aliases].map((word) => [word, refTo(name).$ref]),
  );
  return {
    Step: {
      description: "One step of a workflow. `type` decides which other fields it has.",
      oneOf: named.map(([name]) => refTo(name)),
      discriminator: { propertyName: "type", mapping: Object.fromEntries(mapping) },
    },
    ...Object.fromEntries(named.map(([name, entry]) => [name, stepSchema(entry)])),
    Edge: edge,
  };
}

const edge: Schema = {
  type: "object",
  description: "The target runs after the source, when the outcome of the source matches.",
  properties: {
    id: { type: "string", description: "Unique in the graph" },
    source: { type: "string", description: "The `stepId` of a step" },
    target: { type: "string", description: "The `stepId` of another step" },
    condition: {
      description:
        "The outcome that takes the edge: of a condition, `error` when the source failed, or `timeout` of a wait for an event",
      anyOf: [{ type: "string", enum: ["true", "false", "error", "timeout"] }, { type: "boolean" }],
    },
    caseValue: {
      description: "The case of a switch that takes the edge; an edge without one is the default",
      type: ["string", "number", "boolean", "null"],
    },
  },
  required: ["source", "target"],
  additionalProperties: {},
  examples: [{ id: "e1", source: "fetch-order", target: "confirm" }],
};

/** `document_query` as `DocumentQueryStep`. */
function nameOf({ type }: StepType): string {
  const words = type.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Step`;
}

function stepSchema({ schema, description, example, alternatives }: StepType): Schema {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
  const choice =
    alternatives && ` Set one of ${alternatives.fields.map((field) => `\`${field}\``).join(", ")}.`;
  return { ...simplify(json, "input"), description: description + (choice ?? ""), examples: [example] };
}
