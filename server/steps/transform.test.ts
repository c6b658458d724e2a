import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { createFairQueue } from "../lib/fair-queue.ts";
import { limitReached } from "../limits/limit-reached.ts";
import { startExpressionProcess } from "./expression-process.ts";
import { sampleCall } from "./testing/sample-call.ts";
import { createTestExpressions } from "./testing/test-expressions.ts";
import { createTransformRunner } from "./transform.ts";

const expressions = createTestExpressions({ limits: { memoryMb: 64, timeoutMs: 2000 } });
const runner = createTransformRunner({ expressions });
afterAll(() => expressions.close());

const input = { a: 1, items: [{ price: 2 }, { price: 3 }], json: '{"k":[1]}', code: "1+1" };
const scope = {
  input,
  steps: { first: { output: { words: "hello" }, status: "completed" } },
  vars: { rate: 0.5 },
  task: { id: "task_1" },
  workflow: { id: "wf_1", name: "Orders" },
  item: "x",
  index: 3,
  now: 0,
};
const compute = async (expression: string, signal = new AbortController().signal) =>
  (await runner.run(sampleCall({ expression }, { scope, signal }))).output;

test("a template is returned with its placeholders filled in", async () => {
  const template = { text: "{{input.a}}", list: [1, null] };
  expect(await runner.run(sampleCall({ template }))).toEqual({ output: template });
  expect(await runner.run(sampleCall({ template: null }))).toEqual({ output: null });
});

test.each<[string, JsonValue]>([
  ["$sum(input.items.price)", 5],
  ["input.items.price", [2, 3]],
  ["steps.first.output.words & ' ' & item & index", "hello x3"],
  ["vars.rate * 2", 1],
  ["task.id & workflow.name", "task_1Orders"],
  ["now", "1970-01-01T00:00:00.000Z"],
  ["input.nothing", null],
  ["secrets", null],
  ['{"toString": 1, "constructor": 2}', { toString: 1, constructor: 2 } as unknown as JsonValue],
  ["$parseJson(input.json).k[0]", 1],
  ["input.items[price > 2]", { price: 3 }],
  ["{'f': $sum}", { f: null }],
])("%s is evaluated over the scope", async (expression, output) => {
  expect(await compute(expression)).toEqual(output);
});

test.each([
  ["input.(", /Expected.*\(at character \d+\)/],
  ["input.a + 'x'", /right side.*\(at character \d+\)\. To join text, use & instead of \+\.$/],
  ["$error('no stock')", /no stock/],
  ["$parseJson('{')", /not valid JSON/],
  ["$parseJson('1e400')", /a number that is too large/],
  ["$sum", /returns a function/],
  ["($f := function($n){1 + $f($n)}; $f(1))", /Stack overflow/],
  ["($f := function($n, $a){$n = 0 ? $a : $f($n - 1, {'a': $a})}; $f(300, 1))", /nested too deeply/],
])("the failure of %s says what is wrong", async (expression, message) => {
  await expect(compute(expression)).rejects.toMatchObject({
    code: "expression_failed",
    message: expect.stringMatching(message),
    permanent: true,
  });
});

test.each([
  "constructor",
  "$.constructor.constructor",
  "input.constructor",
  "input.code.constructor",
  "input.__proto__",
  "$lookup(input, '__proto__')",
  "$lookup(input, 'constructor')",
  "$lookup($sum, 'constructor')",
  "$sum.constructor",
  "($f := function(){1}; $f.environment)",
  "process",
  "$process",
  "globalThis",
])("[S31] %s reaches nothing", async (expression) => {
  expect(await compute(expression)).toBeNull();
});

test.each(["$eval(input.code)", "$require('fs')", "$import('fs')", "$Function('return 1')()"])(
  "[S31] %s runs no code",
  async (expression) => {
    await expect(compute(expression)).rejects.toMatchObject({ code: "expression_failed" });
  },
);

test("no expression changes what the next one sees", async () => {
  for (const expression of [
    '$merge([{"__proto__": {"polluted": 1}}])',
    'input ~> |$|{"__proto__": {"polluted": 1}}|',
    'input ~> |__proto__|{"polluted": 1}|',
    'input ~> |constructor.prototype|{"polluted": 1}|',
    "$polluted := 1",
    "($sum := function($x){'mine'}; $sum([1]))",
  ])
    await compute(expression).catch(() => {});
  expect(await compute("[input.polluted, {}.polluted, $polluted, $sum([1, 2])]")).toEqual([3]);
});

test("[S31] an endless expression is stopped, and the next one works", async () => {
  // Long enough for the short expressions below on a busy machine.
  const quick = createTestExpressions({ limits: { timeoutMs: 1000 } });
  const { signal } = new AbortController();
  for (const expression of [
    "($f := function($x){$f($x + 1)}; $f(1))",
    `$match('${"a".repeat(40)}!', /^(a+)+$/)`,
  ]) {
    await expect(quick.evaluate("user_a", expression, scope, signal)).rejects.toMatchObject({
      code: "expression_timeout",
    });
    expect(await quick.evaluate("user_a", "1 + 1", scope, signal)).toBe(2);
  }
  await quick.close();
});

test.each(["[1..10000000]", "[1..9000000].('x' & $)"])(
  "[S31] %s exceeds the memory limit, and the service stays up",
  async (expression) => {
    const roomy = createTestExpressions({ limits: { memoryMb: 32, timeoutMs: 20_000 } });
    const { signal } = new AbortController();
    await expect(roomy.evaluate("user_a", expression, scope, signal)).rejects.toMatchObject({
      code: "expression_failed",
      message: expect.stringContaining("32 MB"),
    });
    expect(await roomy.evaluate("user_a", "1 + 1", scope, signal)).toBe(2);
    await roomy.close();
  },
);

test("calls at once each get their own result", async () => {
  const results = await Promise.all(Array.from({ length: 50 }, (_, i) => compute(`${i} * 2`)));
  expect(results).toEqual(Array.from({ length: 50 }, (_, i) => i * 2));
});

test("a cancelled call ends, running or waiting, and the others go on", async () => {
  const running = new AbortController();
  const waiting = new AbortController();
  // Once the process exists, a call starts with the next turn of the event loop.
  await compute("1");
  const first = compute("($f := function($x){$f($x + 1)}; $f(1))", running.signal);
  const second = compute("2", waiting.signal);
  const third = compute("3");
  await new Promise((resolve) => setImmediate(resolve));
  waiting.abort();
  running.abort();
  await expect(first).rejects.toMatchObject({ code: "aborted" });
  await expect(second).rejects.toMatchObject({ code: "aborted" });
  expect(await third).toBe(3);
});

test("one process serves many calls, is stopped when idle and restarted when needed", async () => {
  const started: ChildProcess[] = [];
  const brief = createTestExpressions({
    limits: { idleMs: 100 },
    async start(memoryMb) {
      const child = await startExpressionProcess(memoryMb);
      started.push(child);
      return child;
    },
  });
  const { signal } = new AbortController();
  expect(await brief.evaluate("user_a", "1", {}, signal)).toBe(1);
  expect(await brief.evaluate("user_a", "2", {}, signal)).toBe(2);
  expect(started).toHaveLength(1);
  await once(started[0] as ChildProcess, "exit");
  expect(await brief.evaluate("user_a", "3", {}, signal)).toBe(3);
  expect(started).toHaveLength(2);
  await brief.close();
  await expect(brief.evaluate("user_a", "4", {}, signal)).rejects.toMatchObject({ code: "aborted" });
});

const ENDLESS = "($f := function($x){$f($x + 1)}; $f(1))";

test("an expression that is cancelled while its process starts is not evaluated", async () => {
  const cancel = new AbortController();
  const starting = createTestExpressions({
    limits: { timeoutMs: 600_000 },
    start: async (memoryMb) => {
      const child = await startExpressionProcess(memoryMb);
      cancel.abort();
      return child;
    },
  });
  const { signal } = new AbortController();
  await expect(starting.evaluate("user_a", ENDLESS, {}, cancel.signal)).rejects.toMatchObject({
    code: "aborted",
  });
  expect(await starting.evaluate("user_a", "1 + 1", {}, signal)).toBe(2);
  await starting.close();
});

test("slow expressions of one owner never delay those of another owner", async () => {
  const fair = createTestExpressions({ limits: { timeoutMs: 600_000 } });
  const cancel = new AbortController();
  const { signal } = new AbortController();
  const slow = Array.from({ length: 8 }, () => fair.evaluate("user_a", ENDLESS, {}, cancel.signal));
  const ends = Promise.allSettled(slow);
  expect(await fair.evaluate("user_b", "1 + 1", {}, signal)).toBe(2);
  cancel.abort();
  expect((await ends).map(({ status }) => status)).toEqual(Array(8).fill("rejected"));
  await fair.close();
});

test("an owner with too many waiting expressions is refused", async () => {
  const queue = createFairQueue({
    slots: 2,
    slotsPerKey: 1,
    waitingPerKey: 1,
    refuse: () => limitReached("waiting_jobs", "Too many wait."),
  });
  const bounded = createTestExpressions({ queue });
  const cancel = new AbortController();
  const waiting = [1, 2].map(() => bounded.evaluate("user_a", ENDLESS, {}, cancel.signal));
  const ends = Promise.allSettled(waiting);
  await expect(bounded.evaluate("user_a", "1", {}, cancel.signal)).rejects.toMatchObject({
    code: "limit_reached",
  });
  cancel.abort();
  await ends;
  await bounded.close();
});
