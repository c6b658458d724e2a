import * as z from "zod";
import { stepTypes } from "../../../contract/steps/catalogue.ts";
import type { StepType } from "../../../contract/steps/step-type.ts";
import { refTo, type Schema, type Schemas } from "./schema.ts";
import { simplify } from "./simplify-schema.ts";

/** `Step`, one component for each type of step, and `Edge`: what a graph is made of, with and without problems. */
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
    DisabledStep: disabledStep,
    UncheckedStep: unchecked("Step", stepTypes[0]?.example),
    Edge: edge,
    UncheckedEdge: unchecked("Edge", EDGE_EXAMPLE),
  };
}

const disabledStep: Schema = {
  type: "object",
  description: "A step that does not run. The fields of its type may be incomplete.",
  properties: {
    stepId: { type: "string" },
    type: { type: "string" },
    disabled: { type: "boolean", const: true },
  },
  required: ["stepId", "type", "disabled"],
  additionalProperties: {},
};

/** Drafts, templates and imported versions are stored with their problems: any value may be in the list. */
function unchecked(name: string, example: unknown): Schema {
  return {
    description: `As it was saved: usually a \`${name}\`, but a draft, a template or an imported version may have problems`,
    examples: [example],
  };
}

const EDGE_EXAMPLE = { id: "e1", source: "fetch-order", target: "confirm" };

const edge: Schema = {
  type: "object",
  description: "The target runs after the source, when the outcome of the source matches.",
  properties: {
    id: { type: ["string", "null"], description: "Unique in the graph" },
    source: { type: "string", description: "The `stepId` of a step" },
    target: { type: "string", description: "The `stepId` of another step" },
    condition: {
      description:
        "The outcome that takes the edge: of a condition, `error` when the source failed, or `timeout` of a wait for an event",
      anyOf: [
        { type: ["string", "null"], enum: ["true", "false", "error", "timeout", "", null] },
        { type: "boolean" },
      ],
    },
    caseValue: {
      description: "The case of a switch that takes the edge; an edge without one is the default",
      type: ["string", "number", "boolean", "null"],
    },
  },
  required: ["source", "target"],
  additionalProperties: {},
  examples: [EDGE_EXAMPLE],
};

/** `document_query` as `DocumentQueryStep`. */
function nameOf({ type }: StepType): string {
  const words = type.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Step`;
}

function stepSchema({ schema, fields, description, example, alternatives }: StepType): Schema {
  const json = simplify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema, "input");
  const choice =
    alternatives && ` Set one of ${alternatives.fields.map((field) => `\`${field}\``).join(", ")}.`;
  const properties = Object.entries(json.properties ?? {}).map(([name, property]) => {
    const accepted = acceptsPlaceholder(fields[name]) ? orPlaceholder(property) : property;
    return [name, json.required?.includes(name) ? accepted : orNull(accepted)];
  });
  return {
    ...json,
    properties: Object.fromEntries(properties) as Schemas,
    description: description + (choice ?? ""),
    examples: [example],
  };
}

function acceptsPlaceholder(field: z.ZodType | undefined): boolean {
  return field?.safeParse("{{input.value}}").success === true;
}

/** A choice lists its words for forms; the field takes a placeholder as well. */
function orPlaceholder(schema: Schema): Schema {
  const { type = "string", enum: words, ...rest } = schema;
  return words === undefined ? schema : { ...rest, anyOf: [{ type, enum: words }, PLACEHOLDER] };
}

const PLACEHOLDER: Schema = {
  type: "string",
  description: "Exactly one placeholder, such as {{input.value}}.",
};

/** A cleared field of a form is stored as null. */
function orNull(schema: Schema): Schema {
  const { type, anyOf, enum: words } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  if (typeof type !== "string") return schema;
  return { ...schema, type: [type, "null"], ...(words && { enum: [...words, null] }) };
}
