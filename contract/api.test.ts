import { expect, test } from "vitest";
import * as z from "zod";
import { createAgentSchema } from "./agents.ts";
import { limitedRecord, nameText } from "./api.ts";
import { createCollectionSchema } from "./collections.ts";
import { createServiceAccountSchema } from "./service-accounts.ts";
import { createTeamSchema } from "./teams.ts";
import { createWorkflowSchema } from "./workflows.ts";
import { createWorkspaceSchema } from "./workspaces.ts";

test.each(["", " ", "\t\n", "\u00A0", "\u200B\u200D", "\u2066\u2069", "x".repeat(11), "a\0b"])(
  "%j is no name",
  (name) => {
    expect(nameText(10).safeParse(name).success).toBe(false);
  },
);

test.each(["a", " a ", "🙂", "名前", "اسم", "👩‍💻", "."])("%j is a name, kept as it is", (name) => {
  expect(nameText(10).parse(name)).toBe(name);
});

test.each([
  ["agent", createAgentSchema],
  ["collection", createCollectionSchema],
  ["service account", createServiceAccountSchema],
  ["team", createTeamSchema],
  ["workflow", createWorkflowSchema],
  ["workspace", createWorkspaceSchema],
])("the name of a new %s can be seen", (_kind, schema) => {
  const problem = schema.safeParse({ name: "\u200B" }).error?.issues.find(({ path }) => path[0] === "name");
  expect(problem?.message).toBe("must have a character that can be seen");
});

test("the values of an object with too many names are not checked", () => {
  let checked = 0;
  const value = z.unknown().refine(() => ++checked === 0, "is wrong");
  const schema = z.object({ headers: limitedRecord(z.string(), value, 2).optional().describe("By name") });
  const problems = (count: number) =>
    schema
      .safeParse({ headers: Object.fromEntries(Array.from({ length: count }, (_, i) => [`name${i}`, i])) })
      .error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
  expect(problems(3)).toEqual(["headers must have at most 2 names"]);
  expect(checked).toBe(0);
  expect(problems(2)).toEqual(["headers.name0 is wrong", "headers.name1 is wrong"]);
  expect(z.toJSONSchema(schema)).toMatchObject({
    properties: { headers: { type: "object", additionalProperties: {}, description: "By name" } },
  });
});

test.each([
  [
    "an agent",
    createAgentSchema,
    (permissions: object) => ({ tools: { apps: [{ app: "a", connection: "c", permissions }] } }),
  ],
  ["a team", createTeamSchema, (memberInstructions: object) => ({ memberInstructions })],
])("%s with thousands of wrong entries has one problem", (_kind, schema, having) => {
  const entries = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 1]));
  expect(schema.safeParse({ name: "a", ...having(entries) }).error?.issues).toHaveLength(1);
});
