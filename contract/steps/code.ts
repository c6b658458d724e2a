import { fixedChoice, fixedTextList, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const codeStep = defineStepType({
  type: "code",
  title: "Code",
  description:
    "Runs JavaScript or TypeScript in a sandbox without network and files. What the code returns is the output.",
  category: "data",
  synonyms: ["javascript", "typescript", "js", "ts", "function", "script", "program", "map", "calculate"],
  traits: { scriptField: "code", secretsField: "secrets" },
  fields: {
    code: text(
      "The body of an async function: `return` gives the output, `console.log` writes to the step's log. It reads input, steps.<id>.output, vars.<name>, item, index, trigger, now, task and workflow as variables, without {{ }}. DateTime, Duration and Interval of Luxon are there. There is no network, no require and no timer.",
    ),
    language: fixedChoice('"javascript" by default. Types of "typescript" are removed, not checked.', [
      "javascript",
      "typescript",
    ]).optional(),
    secrets: fixedTextList(
      "Names of the secrets that the code reads as secrets.<name>. It sees no others.",
    ).optional(),
  },
  // Rendering values into code would turn data into code.
  literalFields: ["code", "language", "secrets"],
  summary: ({ code }) => firstLine(code),
  initial: { language: "javascript" },
  form: {
    code: { label: "Code", control: "code" },
    language: {
      label: "Language",
      common: true,
      words: { javascript: "JavaScript", typescript: "TypeScript" },
      fallback: "javascript",
    },
    secrets: { label: "Secrets", control: "line", example: "API_KEY" },
  },
  example: {
    stepId: "totals",
    type: "code",
    code: "const total = input.items.reduce((sum, item) => sum + item.price * item.quantity, 0);\nreturn { total };",
  },
});

function firstLine(code: unknown): string {
  if (typeof code !== "string") return "";
  const line = code.split("\n").find((each) => each.trim() !== "" && !each.trim().startsWith("//"));
  return (line ?? "").trim();
}
