import * as z from "zod";
import { inWords, onParentEnd } from "./common.ts";
import { fixedChoice, list, number, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const foreachStep = defineStepType({
  type: "foreach",
  title: "For each",
  description:
    "Runs the same steps once for every item of a list and returns the list of their outputs, in order.",
  category: "flow",
  synonyms: ["loop", "for", "iterate", "map", "repeat", "list", "batch", "items"],
  traits: { control: true, loop: true, startsTasks: true },
  fields: {
    items: list(
      "The list to iterate over, usually a placeholder; or a CSV or JSON lines file of an earlier step, whose rows are read as they are needed.",
    ),
    batchSize: number(
      "Number of items that one iteration gets at once, as a list; without it each iteration gets one item.",
      { min: 1, max: 10_000, whole: true },
    ).optional(),
    concurrency: number("Number of items that are processed at the same time; 10 by default.", {
      min: 1,
      max: 100,
      whole: true,
    }).optional(),
    onItemError: fixedChoice(
      'When an item fails, "stop" fails the step, "continue" runs the other items; the output of a failed item is then {"error": {code, message}}. "stop" by default.',
      ["stop", "continue"],
    ).optional(),
    steps: z
      .array(z.unknown(), { error: "must be a list of steps" })
      .min(1, "must contain at least one step")
      .describe("The steps to run for each item. They may use {{item}} and {{index}}.")
      .optional(),
    edges: z
      .array(z.unknown(), { error: "must be a list of edges" })
      .describe("The edges between those steps; without edges they run one after the other.")
      .optional(),
    workflowId: text(
      "A workflow to run for each item instead; its input is the item and its index.",
    ).optional(),
    onParentEnd: onParentEnd("the runs of that workflow"),
  },
  literalFields: ["steps", "edges"],
  alternatives: { fields: ["steps", "workflowId"], exclusive: true },
  summary: ({ items }) => inWords(items),
  form: {
    items: { label: "List", example: "Type @ for a list of an earlier step" },
    batchSize: { label: "Batch size", example: "100" },
    concurrency: { label: "Items at once", example: "10" },
    onItemError: {
      label: "When an item fails",
      section: "error",
      words: { stop: "Fail the step", continue: "Continue with the other items" },
    },
    steps: { label: "Steps for each item" },
    workflowId: { label: "Workflow" },
  },
  example: {
    stepId: "each-order",
    type: "foreach",
    items: "{{input.orders}}",
    concurrency: 5,
    steps: [{ stepId: "line", type: "transform", template: "{{index}}: {{item.name}}" }],
  },
});
