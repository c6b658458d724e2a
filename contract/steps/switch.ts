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
  example: {
    stepId: "by-country",
    type: "switch",
    value: "{{input.country}}",
  },
});
