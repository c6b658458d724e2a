import type { Worker } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { startSandboxThread } from "./sandbox-thread.ts";
import type { CodeCall, Sandbox } from "./sandbox.ts";
import { createTestSandbox } from "./testing/test-sandbox.ts";

const sandbox = createTestSandbox();
afterAll(() => sandbox.close());
const { signal } = new AbortController();
const values = { input: { a: 2, items: [{ price: 2 }, { price: 3 }] }, now: "2026-01-01T00:00:00.000Z" };

function run(source: string, more: Partial<CodeCall> = {}, within: Sandbox = sandbox): Promise<JsonValue> {
  return within.run({
    ownerId: "user_a",
    source,
    language: "javascript",
    values,
    signal,
    log: () => undefined,
    ...more,
  });
}

test.each<[string, JsonValue]>([
  ["return input.a + 1", 3],
  ["return await Promise.resolve(input.items.map(({ price }) => price))", [2, 3]],
  ["const total = input.items.reduce((sum, item) => sum + item.price, 0);\nreturn { total };", { total: 5 }],
  ["const nothing = 1;", null],
  ["return () => 1", null],
  ["return new Date(now)", "2026-01-01T00:00:00.000Z"],
  ["export default function ({ input }) {\n  return input.a * 2;\n}", 4],
  ["export default async ({ input }) => input.a", 2],
  ["export default [1, 2]", [1, 2]],
  ["return [...'é😀'].length", 2],
])("the result of %j is %j", async (source, result) => {
  expect(await run(source)).toEqual(result);
});

test("the types of TypeScript are removed", async () => {
  const source = [
    "interface Item { price: number }",
    "enum Unit { Piece = 1, Dozen = 12 }",
    "const first = input.items[0] as Item;",
    "return (first.price satisfies number) * Unit.Dozen;",
  ].join("\n");
  expect(await run(source, { language: "typescript" })).toBe(24);
  await expect(run(source)).rejects.toMatchObject({ code: "code_failed" });
});

test.each([
  ["const x = null;\n\nreturn x.name;", "javascript", /TypeError: .*null \(line 3, column 9\)\.$/, 3, 9],
  ["return 1 +;", "javascript", /SyntaxError: .* \(line 1, column 11\)\.$/, 1, 11],
  ["if (input.a) {", "javascript", /SyntaxError: .* \(line 1, column 15\)\.$/, 1, 15],
  ["throw new Error('no stock')", "javascript", /: Error: no stock \(line 1, column \d+\)\.$/, 1, 16],
  ["const a: number = 1; missing();", "typescript", /ReferenceError: .*missing.*/, 1, 22],
  ["const a: = 1;", "typescript", /SyntaxError: Unexpected token/, 1, 10],
  ["export default () => {\n  return missing;\n}", "javascript", /missing/, 2, 10],
] as const)("the failure of %j names its place", async (source, language, message, line, column) => {
  await expect(run(source, { language })).rejects.toMatchObject({
    code: "code_failed",
    message: expect.stringMatching(message),
    stepExtra: { details: { line, column } },
  });
});

test("console lines are logged with their level, also when the code fails, and many of them are counted", async () => {
  const lines: string[] = [];
  const log: CodeCall["log"] = (level, message) => void lines.push(`${level} ${message}`);
  await run("console.log('a', { b: 1 }, [2]); console.warn(new Error('x')); console.error(undefined)", {
    log,
  });
  expect(lines.splice(0)).toEqual(['info a {"b":1} [2]', "warn Error: x", "error undefined"]);
  await run("console.debug('before'); throw 1", { log }).catch(() => undefined);
  expect(lines.splice(0)).toEqual(["debug before"]);
  await run("for (let i = 0; i < 5000; i++) console.log(i)", { log });
  expect(lines).toHaveLength(200);
  expect(lines.at(-1)).toBe("warn 4801 more lines were not kept.");
});

test("expressions are evaluated together, each with its own value", async () => {
  const sources = [
    "input.a * 2",
    "{ a: input.a }",
    "input.items.map((item) => item.price) // list",
    "undefined",
  ];
  expect(await sandbox.evaluate({ ownerId: "user_a", sources, values, signal })).toEqual([
    4,
    { a: 2 },
    [2, 3],
    null,
  ]);
  await expect(
    sandbox.evaluate({ ownerId: "user_a", sources: ["1", "input.b.c"], values, signal }),
  ).rejects.toMatchObject({
    code: "expression_failed",
    message: expect.stringMatching(
      /^The expression \{\{= input\.b\.c \}\} failed: TypeError: .* \(line 1, column 8\)\.$/,
    ),
  });
});

test("the results of all expressions of a step share one limit", async () => {
  const sources = Array.from({ length: 3 }, (_, index) => `"${index}".repeat(400_000)`);
  await expect(sandbox.evaluate({ ownerId: "user_a", sources, values, signal })).rejects.toMatchObject({
    code: "output_too_large",
  });
  expect(
    await sandbox.evaluate({ ownerId: "user_a", sources: sources.slice(1), values, signal }),
  ).toHaveLength(2);
});

test("a line or an error that is cut shows no part of a secret", async () => {
  const lines: string[] = [];
  const secret = "sk-0123456789";
  const texts = {
    values: { secrets: { token: secret } },
    log: (_level: string, line: string) => void lines.push(line),
  };
  await run("console.log('x'.repeat(16380) + secrets.token)", texts);
  expect(lines[0]).toHaveLength(16_384);
  await expect(run("throw new Error('x'.repeat(1990) + secrets.token)", texts)).rejects.toSatisfy((error) => {
    lines.push(String(error));
    return true;
  });
  expect(lines.filter((line) => line.includes(secret.slice(0, 3)))).toEqual([]);
});

test("a check compiles and runs nothing", async () => {
  const check = (source: string, language: CodeCall["language"] = "javascript") =>
    sandbox.check({ ownerId: "user_a", source, language, signal });
  expect(await check("for (;;);")).toBeUndefined();
  expect(await check("const a: number = 1; return a", "typescript")).toBeUndefined();
  expect(await check("return 1;\nconst 2;")).toMatchObject({
    line: 2,
    message: expect.stringContaining("SyntaxError"),
  });
});

test("nothing of a call is left for the next one", async () => {
  await run("globalThis.kept = 1; Array.prototype.kept = 1; JSON.stringify = () => '7'; Math.max = () => 0");
  expect(await run("return [typeof kept, [].kept === undefined, Math.max(1, 2), { a: 1 }]")).toEqual([
    "undefined",
    true,
    2,
    { a: 1 },
  ]);
  const random = await Promise.all([run("return Math.random()"), run("return Math.random()")]);
  expect(random[0]).not.toBe(random[1]);
});

test("memory that a call has enlarged is given back, and the next call works", async () => {
  expect(await run("return 'x'.repeat(30e6).length")).toBe(30e6);
  expect(await run("return 1")).toBe(1);
});

test("values that the code does not name are not sent", async () => {
  expect(await run("return typeof input", { values: { input: 1 } })).toBe("number");
  const unused = {
    get big(): never {
      throw new Error("The value was read.");
    },
  };
  expect(await run("return 2", { values: { unused } })).toBe(2);
});

test("a cancelled call ends, running or waiting, and the others go on", async () => {
  const running = new AbortController();
  const waiting = new AbortController();
  await run("return 1");
  const first = run("for (;;);", { signal: running.signal });
  const second = run("return 2", { signal: waiting.signal });
  const third = run("return 3");
  await new Promise((resolve) => setImmediate(resolve));
  waiting.abort();
  running.abort();
  await expect(first).rejects.toMatchObject({ code: "aborted" });
  await expect(second).rejects.toMatchObject({ code: "aborted" });
  expect(await third).toBe(3);
});

test("endless code of one owner never delays another owner", async () => {
  const fair = createTestSandbox({ limits: { timeoutMs: 600_000 } });
  const cancel = new AbortController();
  const slow = Array.from({ length: 8 }, () => run("for (;;);", { signal: cancel.signal }, fair));
  const ends = Promise.allSettled(slow);
  expect(await run("return 2", { ownerId: "user_b" }, fair)).toBe(2);
  cancel.abort();
  expect((await ends).map(({ status }) => status)).toEqual(Array(8).fill("rejected"));
  await fair.close();
});

test("one thread serves many calls, is ended when idle, and replaced when it does not answer or ends", async () => {
  const started: Worker[] = [];
  const watched = createTestSandbox({
    // Only the endless call uses it up; on a busy machine the others need more than the 50 ms of a test alone.
    limits: { timeoutMs: 1500, graceMs: 500, idleMs: 600_000 },
    async start(options) {
      started.push(await startSandboxThread(options));
      return started.at(-1)!;
    },
  });
  expect([await run("return 1", {}, watched), await run("return 2", {}, watched)]).toEqual([1, 2]);
  expect(started).toHaveLength(1);
  // One instruction of the engine that takes minutes.
  await expect(run("return Array(4e8).join('x').length", {}, watched)).rejects.toMatchObject({
    code: "limit_reached",
    stepExtra: { details: { limit: "CODE_TIMEOUT_MS" } },
  });
  expect(await run("return 3", {}, watched)).toBe(3);
  expect(started).toHaveLength(2);
  await started[1]!.terminate();
  await expect(run("return 4", {}, watched)).rejects.toMatchObject({ code: "limit_reached" });
  expect(await run("return 5", {}, watched)).toBe(5);
  await watched.close();
  await expect(run("return 6", {}, watched)).rejects.toMatchObject({ code: "aborted" });
});

test("an idle thread is ended and started again", async () => {
  let starts = 0;
  let ended: Promise<unknown> = Promise.resolve();
  const brief = createTestSandbox({
    limits: { idleMs: 10 },
    async start(options) {
      starts += 1;
      const thread = await startSandboxThread(options);
      ended = new Promise((resolve) => thread.once("exit", resolve));
      return thread;
    },
  });
  await run("return 1", {}, brief);
  await ended;
  expect(await run("return 2", {}, brief)).toBe(2);
  expect(starts).toBe(2);
  await brief.close();
});
