import { expect, test } from "vitest";
import { appProblems } from "./graph-problems.ts";

const step = (more: object) => ({
  stepId: "notify",
  type: "app",
  app: "slack",
  action: "send_message",
  ...more,
});
const problemsOf = (more: object) =>
  appProblems({ steps: [step(more)] }).map(({ code, message }) => [code, message]);

test("a step with its inputs is valid, and placeholders are known only in a run", () => {
  expect(problemsOf({ input: { channel: "C1", text: "Hi" } })).toEqual([]);
  expect(
    problemsOf({ input: { channel: "{{input.c}}", text: "Hi {{input.n}}", blocks: "{{steps.a.output}}" } }),
  ).toEqual([]);
  expect(problemsOf({ input: "{{input}}" })).toEqual([]);
  expect(problemsOf({ app: "api_01J9X3", action: "getPets" })).toEqual([]);
  expect(problemsOf({ app: "none", disabled: true })).toEqual([]);
  const list = { app: "github", action: "list_issues", input: { repository: "a/b", limit: "5" } };
  expect(problemsOf(list)).toEqual([]);
});

test.each<[object, string, string]>([
  [{ app: "slak" }, "invalid_field", 'Step "notify": there is no app "slak". GET /api/apps lists the apps.'],
  [
    { action: "toString" },
    "invalid_field",
    'Step "notify": Slack has no action "toString". Choose one of send_message,',
  ],
  [
    { input: { channel: "C1" } },
    "missing_field",
    'Step "notify": the input "text" (Text) of Slack is required.',
  ],
  [
    { input: { channel: "C1", text: "" } },
    "missing_field",
    'Step "notify": the input "text" (Text) of Slack is required.',
  ],
  [
    { input: { channel: "C1", text: "Hi", chanel: 1 } },
    "invalid_field",
    'Step "notify": Slack has no input "chanel" for this action. Did you mean "channel"? Choose one of channel, text,',
  ],
  [
    { input: { channel: "C1", text: "Hi", unfurlLinks: "maybe" } },
    "invalid_field",
    'Step "notify": in the input, Preview links must be true or false.',
  ],
])("%j is an error of the graph", (more, code, message) => {
  expect(problemsOf({ input: { channel: "C1", text: "Hi" }, ...more })).toEqual([
    [code, expect.stringContaining(message)],
  ]);
});

test("steps inside loops are checked, too", () => {
  const loop = { stepId: "each", type: "foreach", items: [1], steps: [step({ app: "none" })], edges: [] };
  expect(appProblems({ steps: [loop] })).toMatchObject([{ stepId: "notify", code: "invalid_field" }]);
});
