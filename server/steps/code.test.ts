import { afterAll, expect, test } from "vitest";
import { createTestSandbox } from "../sandbox/testing/test-sandbox.ts";
import { createCodeRunner } from "./code.ts";
import { sampleCall } from "./testing/sample-call.ts";

const sandbox = createTestSandbox();
const runner = createCodeRunner({ sandbox });
afterAll(() => sandbox.close());

const scope = {
  input: { a: 1 },
  steps: { first: { output: { words: "hello" }, status: "completed" } },
  vars: { rate: 0.5 },
  trigger: { kind: "webhook", method: "POST", headers: { host: "example.com" } },
  task: { id: "task_1" },
  workflow: { id: "wf_1", name: "Orders" },
  item: "x",
  index: 3,
  now: 0,
};

test("code reads the values of the run and returns the output", async () => {
  const code =
    "return [input.a, steps.first.output.words, vars.rate, trigger.headers.host, task.id, workflow.name, item, index, now]";
  expect(await runner.run(sampleCall({ code }, { scope }))).toEqual({
    output: [1, "hello", 0.5, "example.com", "task_1", "Orders", "x", 3, "1970-01-01T00:00:00.000Z"],
  });
});

test("code reads the secrets that the step lists, and no others", async () => {
  const code = "return [Object.keys(secrets), secrets.KEY]";
  expect(await runner.run(sampleCall({ code, secrets: ["KEY"] }, { secrets: { KEY: "s3cret" } }))).toEqual({
    output: [["KEY"], "s3cret"],
  });
});

test("braces in code are not placeholders", async () => {
  const code = "const text = '{{input.a}}'; return { text, nested: {a: {b: 1}} }";
  expect(await runner.run(sampleCall({ code }, { scope }))).toEqual({
    output: { text: "{{input.a}}", nested: { a: { b: 1 } } },
  });
});

test("the console writes to the log of the step", async () => {
  const lines: string[] = [];
  const log = (level: string, message: string) => void lines.push(`${level}: ${message}`);
  await runner.run(
    sampleCall({ code: "const a: number = 1; console.info('a', a)", language: "typescript" }, { log }),
  );
  expect(lines).toEqual(["info: a 1"]);
});
