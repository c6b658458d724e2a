import * as z from "zod";
import { list, number, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const foreachStep = defineStepType({
  type: "foreach",
  title: "For each",
  description:
    "Runs the same steps once for every item of a list and hands on the list of their outputs, in order.",
  category: "flow",
  traits: { control: true, loop: true },
  fields: {
    items: list("The list to go through, usually a placeholder."),
    concurrency: number("How many items are worked on at the same time; 10 when left out.", {
      min: 1,
      max: 100,
      whole: true,
    }).optional(),
    steps: z
      .array(z.unknown(), { error: "must be a list of steps" })
      .min(1, "must hold at least one step")
      .describe("The steps to run for each item. They may use {{item}} and {{index}}.")
      .optional(),
    edges: z
      .array(z.unknown(), { error: "must be a list of edges" })
      .describe("How those steps are joined; without edges they run one after the other.")
      .optional(),
    workflowId: text(
      "A workflow to run for each item instead; its input is the item and its index.",
    ).optional(),
  },
  literalFields: ["steps", "edges"],
  alternatives: { fields: ["steps", "workflowId"], exclusive: true },
  example: {
    stepId: "each-order",
    type: "foreach",
    items: "{{input.orders}}",
    concurrency: 5,
    steps: [{ stepId: "line", type: "transform", template: "{{index}}: {{item.name}}" }],
  },
});
