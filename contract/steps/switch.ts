import { inWords } from "./common.ts";
import { anyValue } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const switchStep = defineStepType({
  type: "switch",
  title: "Switch",
  description:
    "Chooses between several branches by a value. Each edge has a caseValue; an edge without one is taken when no other matches.",
  category: "flow",
  synonyms: ["case", "route", "branch", "if", "choose", "cases"],
  traits: { branching: "case", pure: () => true },
  fields: {
    value: anyValue("The value that decides, usually a placeholder."),
  },
  summary: ({ value }) => inWords(value),
  form: {
    value: { label: "Value", example: "Type @ for a value of an earlier step" },
  },
  example: {
    stepId: "by-country",
    type: "switch",
    value: "{{input.country}}",
  },
});
