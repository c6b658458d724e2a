import * as z from "zod";
import { checkComparison, comparisonFields, comparisonForm, comparisonInWords } from "./condition.ts";
import { anyValue, fixedChoice, fixedNumber } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const DEFAULT_ITERATIONS = 100;
export const MAX_ITERATIONS = 10_000;

export const whileStep = defineStepType({
  type: "while",
  title: "Repeat while",
  description:
    "Repeats the same steps as long as a comparison holds. It is checked before each iteration, where {{item}} is the output of the iteration before and {{index}} the number of completed iterations.",
  category: "flow",
  synonyms: ["loop", "until", "repeat", "poll", "paginate", "pagination", "next page", "retry until"],
  traits: { control: true, loop: true, startsTasks: true, iterationFields: ["left", "operator", "right"] },
  fields: {
    ...comparisonFields,
    initial: anyValue("The value of {{item}} before the first iteration; null by default.").optional(),
    maxIterations: fixedNumber(
      `The number of iterations after which the step ends; ${DEFAULT_ITERATIONS} by default.`,
      { min: 1, max: MAX_ITERATIONS, whole: true },
    ).optional(),
    onLimit: fixedChoice(
      'When the comparison still holds after the last allowed iteration, "fail" fails the step, "end" ends the loop; "fail" by default.',
      ["fail", "end"],
    ).optional(),
    steps: z
      .array(z.unknown(), { error: "must be a list of steps" })
      .min(1, "must contain at least one step")
      .describe("The steps of one iteration. They may use {{item}} and {{index}}."),
    edges: z
      .array(z.unknown(), { error: "must be a list of edges" })
      .describe("The edges between those steps; without edges they run one after the other.")
      .optional(),
  },
  literalFields: ["left", "operator", "right", "steps", "edges"],
  check: checkComparison,
  shortTitle: "While",
  summary: comparisonInWords,
  initial: { operator: "eq" },
  form: {
    ...comparisonForm,
    left: { label: "Value", example: "Type {{item}} for the output of the iteration before" },
    initial: { label: "Item at the start", control: "long", example: '{ "page": 1 }' },
    maxIterations: { label: "Iterations at most", common: true, example: String(DEFAULT_ITERATIONS) },
    onLimit: {
      label: "When it does not end by then",
      words: { fail: "Fail the step", end: "End the loop" },
    },
    steps: { label: "Steps of an iteration" },
  },
  example: {
    stepId: "pages",
    type: "while",
    left: "{{item.next}}",
    operator: "exists",
    initial: { next: 1 },
    maxIterations: 50,
    steps: [
      {
        stepId: "page",
        type: "http",
        method: "GET",
        url: "https://api.example.com/orders?page={{item.next}}",
      },
    ],
  },
});
