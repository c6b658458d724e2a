import { inWords } from "./common.ts";
import { anyValue, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";
import { compileTemplate } from "../placeholders/compile.ts";

export const transformStep = defineStepType({
  type: "transform",
  title: "Transform",
  description: "Builds a new value from earlier ones: with a template, or with a JSONata expression.",
  category: "data",
  synonyms: [
    "map",
    "set",
    "json",
    "jsonata",
    "expression",
    "format",
    "template",
    "edit fields",
    "variable",
    "function",
  ],
  traits: {
    // Only a template is rendered inline; an expression runs in a separate process.
    pure: ({ expression }) => (expression ?? null) === null,
    expressionField: "expression",
  },
  fields: {
    template: anyValue("The value to build: text, a list or an object with placeholders in it.").optional(),
    expression: text(
      "A JSONata expression over input, steps, item, index, vars, task, workflow and now, such as $sum(input.items.price). $parseJson(text) reads JSON.",
    ).optional(),
  },
  // Rendering values into an expression would turn data into code.
  literalFields: ["expression"],
  alternatives: { fields: ["template", "expression"], exclusive: true },
  check: ({ expression }) =>
    typeof expression === "string" && compileTemplate(expression).references.length > 0
      ? [
          {
            code: "invalid_field",
            field: "expression",
            message: "must not contain placeholders: write input.name instead of {{input.name}}",
          },
        ]
      : [],
  summary: ({ expression, template }) => {
    if (typeof expression === "string" && expression !== "")
      return namesInWords(literalNames(expression)) ?? `= ${expression}`;
    if (typeof template === "string" && template !== "") return `“${template}”`;
    const names = isObject(template) ? Object.keys(template) : [];
    return namesInWords(names) ?? inWords(template);
  },
  isSummaryComplete: true,
  form: {
    template: { label: "Template", control: "long", example: 'Hello, or { "total": 12 }' },
    expression: { label: "Expression", control: "long", example: "$sum(input.items.price)" },
  },
  example: {
    stepId: "greeting",
    type: "transform",
    template: { text: "Hello {{input.name}}", at: "{{now}}" },
  },
});

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function namesInWords(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `Sets ${names.join(", ")}`;
}

/** The names of an expression that builds an object: `{"title": input.title, "tags": {"a": 1}}` → title, tags. */
function literalNames(expression: string): string[] {
  if (!/^\s*\{[^]*\}\s*$/.test(expression)) return [];
  const names: string[] = [];
  let depth = 0;
  // A name follows a brace or a comma: in `x ? "yes" : "no"` there is none.
  for (const [token, opening, name] of expression.matchAll(
    /([{,])\s*(?:"((?:[^"\\]|\\.)*)"\s*:)?|"(?:[^"\\]|\\.)*"|[}()[\]]/g,
  )) {
    if (opening === "{" || token === "(" || token === "[") depth += 1;
    else if (token === "}" || token === ")" || token === "]") depth -= 1;
    if (name !== undefined && depth === 1) names.push(name);
  }
  return names;
}
