import { expect, test } from "vitest";
import { createId } from "../../../lib/ids.ts";
import { limitsOf } from "../../../limits/testing/limits-of.ts";
import { openBench } from "../../testing/open-engine.ts";
import { createItemGate } from "./item-gate.ts";

const sizeOf = (text: string) => text.length;
const read = (text: string, reads: string[]) => () => {
  reads.push(text);
  return Promise.resolve(text);
};
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("items enter while they fit, one more is read, and the next enters when another leaves", async () => {
  const gate = createItemGate(10);
  const reads: string[] = [];
  const [a, b] = await Promise.all(["aaaa", "bbbb"].map((text) => gate.enter(read(text, reads), sizeOf)));
  const entered: string[] = [];
  const c = gate.enter(read("cccc", reads), sizeOf).then((item) => (entered.push(item.value), item));
  const d = gate.enter(read("dddd", reads), sizeOf).then((item) => (entered.push(item.value), item));
  await settle();
  expect([reads, entered]).toEqual([["aaaa", "bbbb", "cccc"], []]);
  a!.leave();
  a!.leave();
  (await c).leave();
  b!.leave();
  expect((await d).value).toBe("dddd");
});

test("an item larger than the bound enters alone, and one that cannot be read holds nothing", async () => {
  const gate = createItemGate(3);
  const large = await gate.enter(read("large", []), sizeOf);
  await expect(gate.enter(() => Promise.reject(new Error("unreadable")), sizeOf)).rejects.toThrow(
    "unreadable",
  );
  const next = gate.enter(read("ab", []), sizeOf);
  large.leave();
  expect((await next).value).toBe("ab");
});

test("iterations over a file hold no more rows at once than a value may have", async () => {
  let open = 0;
  let most = 0;
  const bench = await openBench({
    async http() {
      most = Math.max(most, ++open);
      await settle();
      open -= 1;
      return { output: 1 };
    },
  });
  const file = { file: createId("file"), name: "a.csv", contentType: "text/csv", size: 1 };
  const engine = await bench.engine({
    limits: limitsOf({ value_bytes: 5000 }),
    fileItems: {
      split: () => Promise.resolve(Array.from({ length: 20 }, (_, index) => index)),
      read: () => Promise.resolve(["x".repeat(2000)]),
    },
  });
  const step = { stepId: "work", type: "http", method: "GET", url: "x" };
  const workflow = bench.workflow("wf", {
    steps: [{ stepId: "each", type: "foreach", items: file, batchSize: 5, concurrency: 10, steps: [step] }],
    edges: [],
  });
  const { taskId } = await engine.start({ workflow, trigger: "manual", input: {} });
  expect((await engine.settled(taskId, 10_000)).task.status).toBe("completed");
  expect(most).toBe(2);
});
