import { expect, test } from "vitest";
import { foreignPlaceholders } from "./foreign-placeholders.ts";

const warn = (...steps: object[]) => foreignPlaceholders({ steps });

test.each([
  [
    { type: "http", url: "https://a.example/${name}" },
    "url",
    "{{input.name}} for a value of the input, or {{vars.name}} for a variable",
  ],
  [
    { type: "http", headers: { a: ["Bearer ${process.env.TOKEN}"] } },
    "headers",
    "{{vars.TOKEN}} for a variable, or {{secrets.TOKEN}} for a secret",
  ],
  [
    { type: "llm", prompt: "Of {{input.a}}: ${ steps.fetch.output[0] }" },
    "prompt",
    "{{steps.fetch.output[0]}}",
  ],
  [{ type: "while", left: "${input.left}", operator: "gt", right: "1", steps: [] }, "left", "{{input.left}}"],
])("%j has a placeholder of another tool", async (step, field, replacement) => {
  const [warning] = await warn({ stepId: "a", ...step });
  expect(warning).toMatchObject({ code: "template_literal", stepId: "a" });
  expect(warning!.message).toContain(`in the field "${field}". It stays as it is: write ${replacement}.`);
});

test("steps inside loops are read, each with one warning", async () => {
  const inner = { stepId: "in", type: "llm", prompt: "${a} ${b}", system: "${c}" };
  const loop = { stepId: "each", type: "foreach", items: "{{input.list}}", steps: [inner] };
  expect(await warn(loop)).toMatchObject([{ stepId: "in" }]);
});

test.each([
  { type: "code", code: "return `${input.name}`" },
  { type: "llm", prompt: "{{= `${input.name}` }}" },
  { type: "llm", prompt: "It costs $5 {or} ${}, ${1}, ${a + b}" },
  { type: "llm", label: "${name}" },
  { type: "unknown", prompt: "${name}" },
])("%j has none", async (step) => {
  expect(await warn({ stepId: "a", ...step })).toEqual([]);
});
