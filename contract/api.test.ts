import { expect, test } from "vitest";
import { createAgentSchema } from "./agents.ts";
import { nameText } from "./api.ts";
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
