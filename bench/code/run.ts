// CPU of one call of the sandbox, with the threads of the build: `npm run bench:code`.
import { performance } from "node:perf_hooks";
import { createFairQueue } from "../../server/lib/fair-queue.ts";
import { createSandbox } from "../../server/sandbox/sandbox.ts";

const CALLS = 2000;
const WARM_UP = 200;

const sandbox = createSandbox({
  queue: createFairQueue({ slots: 2, slotsPerKey: 1, refuse: () => new Error("The queue is full.") }),
  limits: { timeoutMs: 5000, memoryMb: 128, maxOutput: 10_000_000 },
});
const { signal } = new AbortController();
const log = () => undefined;
const values = { input: { a: 2, items: Array.from({ length: 1000 }, (_, id) => ({ id, price: id / 2 })) } };
const run = (
  source: string,
  language: "javascript" | "typescript" = "javascript",
  given: object = { input: { a: 2 } },
) => sandbox.run({ ownerId: "user", source, language, values: { ...given }, signal, log });

const CASES: Record<string, () => Promise<unknown>> = {
  "one line: return input.a + 1": () => run("return input.a + 1"),
  "the same in TypeScript": () => run("return (input.a as number) + 1", "typescript"),
  "one expression: {{= input.a * 2 }}": () =>
    sandbox.evaluate({ ownerId: "user", sources: ["input.a * 2"], values: { input: { a: 2 } }, signal }),
  "one date: DateTime.fromISO(…).toISODate()": () => run("return DateTime.fromISO('2026-01-01').toISODate()"),
  "sum of 1,000 items": () =>
    run("return input.items.reduce((sum, { price }) => sum + price, 0)", "javascript", values),
};

console.log(`Node ${process.version}, ${CALLS} calls each, one after the other, warm thread`);
for (const [name, call] of Object.entries(CASES)) {
  for (let i = 0; i < WARM_UP; i++) await call();
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  for (let i = 0; i < CALLS; i++) await call();
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuMs = (user + system) / 1000 / CALLS;
  const wallMs = (performance.now() - startedAt) / CALLS;
  console.log(`${name.padEnd(44)} ${cpuMs.toFixed(2)} ms CPU, ${wallMs.toFixed(2)} ms`);
}
await sandbox.close();
