import { MAX_STORE_EXPIRY_MS } from "../store.ts";
import { inWords } from "./common.ts";
import { anyValue, choice, fixedChoice, number, text } from "./fields.ts";
import { defineStepType, type FieldProblem } from "./step-type.ts";

export const storeActions = ["get", "set", "delete", "increment", "compare_and_set", "list"] as const;
export type StoreAction = (typeof storeActions)[number];

const actionWords: Readonly<Record<StoreAction, string>> = {
  get: "Get a value",
  set: "Set a value",
  delete: "Delete a value",
  increment: "Increment a number",
  compare_and_set: "Set a value if it is unchanged",
  list: "List values",
};

type Step = Readonly<Record<string, unknown>>;
const on =
  (...actions: StoreAction[]) =>
  ({ action }: Step): boolean =>
    actions.includes(action as StoreAction);
const hasKey = (step: Step): boolean => !on("list")(step);
const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

export const storeStep = defineStepType({
  type: "store",
  title: "Store",
  description:
    "Keeps values between runs: gets, sets, deletes, increments or lists them by key, for this workflow or for all workflows. An increment and a compare_and_set happen exactly once, also after a crash.",
  category: "data",
  synonyms: [
    "memory",
    "state",
    "remember",
    "counter",
    "cache",
    "key value",
    "database",
    "static data",
    "redis",
  ],
  fields: {
    action: fixedChoice("What to do with the value.", storeActions),
    scope: choice(
      'Whose value it is: "workflow" for the runs of this workflow, "workspace" for all of your workflows; "workflow" by default.',
      ["workflow", "workspace"],
    ).optional(),
    key: text("The name of the value, up to 300 characters.").optional(),
    value: anyValue("set, compare_and_set: the new value, any JSON.").optional(),
    expected: anyValue(
      "compare_and_set: the value is set only if this is the present one. Without it, only if there is none.",
    ).optional(),
    amount: number("increment: how much to add, 1 by default; negative to subtract.", {
      min: -MAX_AMOUNT,
      max: MAX_AMOUNT,
    }).optional(),
    expiresInMs: number(
      "set, compare_and_set, increment: deletes the value after this time in milliseconds. An increment sets it only for a new value.",
      { min: 1, max: MAX_STORE_EXPIRY_MS },
    ).optional(),
    prefix: text("list: only keys that begin with this text.").optional(),
    limit: number("list: how many values, at most 1,000; 100 by default.", {
      min: 1,
      max: 1000,
      whole: true,
    }).optional(),
    after: text("list: only keys after this one; `next` of the previous list.").optional(),
  },
  check: (step) => missing(step),
  summary: (step) =>
    [
      actionWords[step["action"] as StoreAction] ?? inWords(step["action"]),
      inWords(hasKey(step) ? step["key"] : step["prefix"]),
    ]
      .filter((part) => part !== "")
      .join(": "),
  initial: { action: "get" },
  form: {
    action: { label: "Action", words: actionWords },
    scope: {
      label: "Belongs to",
      common: true,
      words: { workflow: "This workflow", workspace: "All workflows" },
    },
    key: { label: "Key", common: true, example: "last-run", applies: hasKey },
    value: {
      label: "Value",
      common: true,
      control: "long",
      example: "Text, or a value of an earlier step",
      applies: on("set", "compare_and_set"),
    },
    expected: { label: "Only if it is", common: true, applies: on("compare_and_set") },
    amount: { label: "Add", common: true, example: "1", applies: on("increment") },
    expiresInMs: {
      label: "Delete after",
      control: "milliseconds",
      example: "1 h",
      applies: on("set", "compare_and_set", "increment"),
    },
    prefix: { label: "Keys that begin with", common: true, example: "customer:", applies: on("list") },
    limit: { label: "At most", example: "100", applies: on("list") },
    after: { label: "After key", applies: on("list") },
  },
  example: { stepId: "count-runs", type: "store", action: "increment", key: "runs" },
});

function missing(step: Record<string, unknown>): FieldProblem[] {
  const needed: [field: string, isNeeded: boolean, message: string][] = [
    ["key", hasKey(step), "is required: it is the name of the value"],
    ["value", on("set", "compare_and_set")(step), "is required: it is the new value"],
  ];
  return needed
    .filter(([field, isNeeded]) => isNeeded && step[field] === undefined)
    .map(([field, , message]) => ({ code: "missing_field", field, message }));
}
