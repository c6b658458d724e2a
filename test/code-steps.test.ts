import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";

const { app, alice } = await shareApp(["alice"]);

async function run(steps: Record<string, unknown>[], input: unknown = {}, edges: unknown[] = []) {
  const { body } = await alice.post("/api/workflows", { name: "Code", steps, edges });
  expect(body.ok, JSON.stringify(body)).toBe(true);
  const started = await alice.post(`/api/workflows/${body.workflow.id}/run?wait=true`, { input });
  const { taskId } = started.body;
  await expect
    .poll(async () => (await alice.get(`/api/tasks/${taskId}`)).body.task.status)
    .toMatch(/completed|failed/);
  return (await alice.get(`/api/tasks/${taskId}`)).body.task;
}

const outputOf = (task: { stepResults: { stepId: string; output: unknown }[] }, id: string) =>
  task.stepResults.find(({ stepId }) => stepId === id);

test("code and expressions read earlier steps, variables and the input, and a step keeps the type of an expression", async () => {
  await alice.put("/api/variables/rate", { value: 2 });
  const task = await run(
    [
      { stepId: "list", type: "transform", template: [1, 2, 3] },
      {
        stepId: "sum",
        type: "code",
        code: "console.log('items', steps.list.output.length);\nreturn steps.list.output.reduce((a, b) => a + b, 0) * vars.rate + input.plus",
      },
      { stepId: "all", type: "code", code: "return Object.keys(steps)" },
      {
        stepId: "text",
        type: "transform",
        template: {
          list: "{{= steps.list.output.map((n) => n * 2) }}",
          text: "{{input.plus}} {{= steps.sum.output > 5 ? 'many' : 'few' }}",
        },
      },
    ],
    { plus: 1 },
  );
  expect(task.status, JSON.stringify(task.error)).toBe("completed");
  expect(outputOf(task, "sum")).toMatchObject({ output: 13, logs: [{ level: "info", message: "items 3" }] });
  expect(outputOf(task, "all")).toMatchObject({ output: ["list", "sum"] });
  expect(outputOf(task, "text")).toMatchObject({ output: { list: [2, 4, 6], text: "1 many" } });
});

test("an expression decides a condition, gives a loop its items and works inside it", async () => {
  const task = await run(
    [
      {
        stepId: "large",
        type: "condition",
        left: "{{= input.items.length > 2 }}",
        operator: "eq",
        right: true,
      },
      {
        stepId: "each",
        type: "foreach",
        items: "{{= input.items.filter((n) => n > 1) }}",
        steps: [{ stepId: "double", type: "transform", template: "{{= item * 2 + index }}" }],
        edges: [],
      },
    ],
    { items: [1, 2, 3] },
    [{ id: "e", source: "large", target: "each", condition: "true" }],
  );
  expect(task.status, JSON.stringify(task.error)).toBe("completed");
  expect(outputOf(task, "each")).toMatchObject({ output: [4, 7] });
});

test("an expression decides a while, starts it and works in its steps; the run shows the item of each iteration", async () => {
  const task = await run(
    [
      {
        stepId: "loop",
        type: "while",
        left: "{{= item.total + index }}",
        operator: "lt",
        right: "{{= input.most * 2 }}",
        initial: "{{= ({ total: input.most - 9 }) }}",
        steps: [{ stepId: "add", type: "transform", template: { total: "{{= item.total + 4 }}" } }],
        edges: [],
      },
    ],
    { most: 10 },
  );
  expect(task.status, JSON.stringify(task.error)).toBe("completed");
  expect(outputOf(task, "loop")).toMatchObject({ output: { iterations: 4, last: { total: 17 } } });
  const { body } = await alice.get(`/api/tasks/${task.id}/steps/loop/items?limit=3`);
  expect(body.items.map(({ item }: { item: unknown }) => item)).toEqual([
    { total: 1 },
    { total: 5 },
    { total: 9 },
  ]);
  const next = await alice.get(`/api/tasks/${task.id}/steps/loop/items?cursor=${body.nextCursor}`);
  expect(next.body.items).toMatchObject([{ index: 3, item: { total: 13 } }]);
});

test("an expression in a partial run reads given outputs, those of another run and steps that run", async () => {
  const { body } = await alice.post("/api/workflows", {
    name: "Part",
    steps: [
      { stepId: "a", type: "transform", template: 1 },
      { stepId: "b", type: "transform", template: "{{= steps.a.output + input.n }}" },
      { stepId: "c", type: "transform", template: "{{= steps['b'].output * 10 }}" },
    ],
    edges: [
      { id: "1", source: "a", target: "b" },
      { id: "2", source: "b", target: "c" },
    ],
  });
  const partial = async (request: object) => {
    const started = await alice.post(`/api/workflows/${body.workflow.id}/run-partial`, request);
    const { taskId } = started.body;
    await expect
      .poll(async () => (await alice.get(`/api/tasks/${taskId}`)).body.task.status)
      .toMatch(/completed|failed/);
    return (await alice.get(`/api/tasks/${taskId}`)).body.task;
  };
  const first = await partial({ stepIds: ["b", "c"], outputs: { a: 4 }, input: { n: 2 } });
  expect(first).toMatchObject({ status: "completed", result: { output: 60 } });
  expect((await partial({ stepIds: ["c"], fromTaskId: first.id })).result.output).toBe(60);
  expect((await partial({ stepIds: ["c"] })).error).toMatchObject({ code: "missing_output", stepId: "c" });
});

test("[S22] code sees only the secrets it lists, expressions none, and both are redacted", async () => {
  await alice.put("/api/variables/CODE_KEY", { value: "s3cret-value", secret: true });
  await alice.put("/api/variables/OTHER_KEY", { value: "0ther-value", secret: true });
  const task = await run([
    { stepId: "uses", type: "transform", template: "{{secrets.OTHER_KEY}}" },
    {
      stepId: "code",
      type: "code",
      secrets: ["CODE_KEY"],
      code: "console.log(secrets.CODE_KEY);\nreturn [Object.keys(secrets), secrets.CODE_KEY.length, secrets.CODE_KEY]",
    },
    { stepId: "expression", type: "transform", template: "{{= typeof secrets }}", onError: "continue" },
  ]);
  expect(task.status, JSON.stringify(task.error)).toBe("completed");
  expect(outputOf(task, "code")).toMatchObject({
    output: [["CODE_KEY"], 12, expect.not.stringContaining("s3cret")],
  });
  expect(outputOf(task, "expression")).toMatchObject({ output: "undefined" });
  expect(JSON.stringify(task)).not.toMatch(/s3cret-value|0ther-value/);
});

test("a failure names its line, and code over its limits fails with the setting", async () => {
  const failed = await run([{ stepId: "a", type: "code", code: "const order = null;\nreturn order.id;" }]);
  expect(failed.status).toBe("failed");
  expect(outputOf(failed, "a")).toMatchObject({
    error: { code: "code_failed", message: expect.stringContaining("line 2, column") },
    details: { line: 2 },
  });
  const large = await run([{ stepId: "a", type: "code", code: "return 'x'.repeat(20e6)", maxRetries: 3 }]);
  expect(outputOf(large, "a")).toMatchObject({ error: { code: "output_too_large" }, attempts: 1 });
});

test.each([
  ["return fetch('https://example.com')", "Send the request with an http step before it."],
  ["return require('fs')", "Code has no modules."],
  ['import fs from "node:fs";\nreturn fs.readdirSync("/");', "Code has no modules."],
  ['const fs = await import("node:fs");\nreturn 1;', "Code has no modules."],
  ['import fs from "node:fs";\nexport default fs.readdirSync("/");', "Code has no modules."],
  ["return $input.all()", "Read the input of the run as input"],
])("%s fails with what to use instead", async (code, advice) => {
  const failed = await run([{ stepId: "a", type: "code", code }]);
  expect(failed.error).toMatchObject({ code: "code_failed", message: expect.stringContaining(advice) });
});

test("a workflow whose code or expression has a syntax error is not saved, and the error names its place", async () => {
  const save = async (...steps: object[]) =>
    (await alice.post("/api/workflows", { name: "Syntax", metadata: { steps, edges: [] } })).body;
  expect(await save({ stepId: "a", type: "code", code: "const x = 1;\nreturn x +;" })).toMatchObject({
    error: "invalid_workflow",
  });
  expect(
    JSON.stringify(await save({ stepId: "a", type: "code", code: "const x = 1;\nreturn x +;" })),
  ).toContain("syntax error on line 2, column 11");
  expect(
    JSON.stringify(await save({ stepId: "a", type: "transform", template: ["{{= input.a + }}"] })),
  ).toContain("the expression {{= input.a + }} has a syntax error");
  const messageFor = async (step: object) => (await save({ stepId: "a", ...step })).errors[0].message;
  expect(await messageFor({ type: "transform", template: "{{= if (input.a) 1 }}" })).toContain(
    "syntax error on line 1, column 1:",
  );
  expect(await messageFor({ type: "transform", template: "{{= input. }}" })).toContain(
    "has a syntax error: it is incomplete.",
  );
  const inLoop = { stepId: "b", type: "code", code: "if (" };
  expect(
    JSON.stringify(await save({ stepId: "a", type: "foreach", items: [1], steps: [inLoop], edges: [] })),
  ).toContain('Step \\"b\\": the field \\"code\\" has a syntax error');
  expect(
    await save({ stepId: "a", type: "code", code: "return await Promise.resolve(<number>1 as number)" }),
  ).toMatchObject({
    ok: true,
  });
});

test.each([
  [
    "$sum(",
    'Step "a": the field "expression" has a syntax error at its end: Expected ")" before end of expression.',
  ],
  ["input.a ] + 1", 'Step "a": the field "expression" has a syntax error at character 9: Syntax error: "]".'],
])(
  "a workflow with the JSONata expression %s is not saved, and the error names its place",
  async (expression, message) => {
    const step = { stepId: "a", type: "transform", expression };
    const save = async (...steps: object[]) =>
      (await alice.post("/api/workflows", { name: "Syntax", metadata: { steps, edges: [] } })).body;
    expect((await save(step)).errors).toEqual([{ code: "invalid_field", message, stepId: "a" }]);
    const loop = { stepId: "each", type: "foreach", items: [1], steps: [step], edges: [] };
    expect((await save(loop)).errors).toEqual([{ code: "invalid_field", message, stepId: "a" }]);
    expect(await save({ ...step, disabled: true })).toMatchObject({ ok: true });
  },
);

test("a JSONata expression that is too long to be parsed at once is saved, and fails when it runs", async () => {
  const expression = "(".repeat(1001);
  const failed = await run([{ stepId: "a", type: "transform", expression }]);
  expect(outputOf(failed, "a")).toMatchObject({ error: { code: "expression_failed" } });
});

test("expressions are evaluated with given values for a preview, in the sandbox, and only with a login", async () => {
  const evaluate = (expressions: string[], values: object = {}) =>
    alice.post("/api/expressions/evaluate", { expressions, values });
  const order = { output: { total: 12 } };
  expect(
    await evaluate(["steps.order.output.total * 2", "input.name", "now.slice(0, 2)"], {
      steps: { order },
      input: { name: "Ada" },
    }),
  ).toMatchObject({
    status: 200,
    body: { ok: true, values: [24, "Ada", "20"], error: null },
  });
  expect((await evaluate(["input.a.b"])).body).toMatchObject({
    values: null,
    error: { code: "expression_failed" },
  });
  expect(
    (await evaluate(["typeof process + typeof fetch + typeof require + typeof secrets"])).body.values,
  ).toEqual(["undefined".repeat(4)]);
  expect((await evaluate([])).status).toBe(400);
  expect((await evaluate(["1"], { input: "x".repeat(1_100_000) })).status).toBe(413);
  expect((await app.anonymous.post("/api/expressions/evaluate", { expressions: ["1"] })).status).toBe(401);
});
