import { expect, test } from "vitest";
import { createFairQueue, type FairQueueOptions, type JobOptions } from "./fair-queue.ts";

/** Jobs that run until the test ends them. */
function useQueue(options: Partial<FairQueueOptions> = {}) {
  const queue = createFairQueue({
    slots: 2,
    slotsPerKey: 1,
    refuse: () => new Error("too many jobs wait"),
    ...options,
  });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (key: string, name: string, jobOptions?: JobOptions): Promise<void> =>
    queue.run(
      key,
      () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      jobOptions,
    );
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { queue, started, add, end };
}

test("a key never holds more slots than its share, so another key starts at once", () => {
  const { queue, started, add } = useQueue();
  for (const name of ["a1", "a2", "a3"]) void add("a", name);
  void add("b", "b1");
  expect(started).toEqual(["a1", "b1"]);
  expect([queue.running(), queue.running("a"), queue.waiting("a"), queue.waiting()]).toEqual([2, 1, 2, 2]);
});

test("free slots go round-robin to the keys that wait", async () => {
  const { started, add, end } = useQueue({ slots: 1, slotsPerKey: 1 });
  for (const name of ["a1", "a2", "a3"]) void add("a", name);
  for (const name of ["b1", "b2"]) void add("b", name);
  void add("c", "c1");
  for (const name of ["a1", "a2", "b1", "c1", "a3", "b2"]) await end(name);
  expect(started).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
});

test("jobs of one key start in the order of their calls, also when a slot is free", async () => {
  const { started, add, end } = useQueue();
  for (const name of ["a1", "a2", "a3"]) void add("a", name);
  await end("a1");
  void add("a", "a4");
  for (const name of ["a2", "a3"]) await end(name);
  expect(started).toEqual(["a1", "a2", "a3", "a4"]);
});

test("a share of 0 is every slot", () => {
  const { started, add } = useQueue({ slots: 3, slotsPerKey: 0 });
  for (const name of ["a1", "a2", "a3", "a4"]) void add("a", name);
  expect(started).toEqual(["a1", "a2", "a3"]);
});

test("a key with too many waiting jobs is refused, and no other key is", async () => {
  const { started, add, end } = useQueue({ waitingPerKey: 1 });
  void add("a", "a1");
  void add("a", "a2");
  await expect(add("a", "a3")).rejects.toThrow("too many jobs wait");
  void add("b", "b1");
  void add("b", "b2");
  await end("a1");
  void add("a", "a4");
  expect(started).toEqual(["a1", "b1", "a2"]);
});

test("urgent jobs start before all others and have slots of their own", async () => {
  const { started, add, end } = useQueue({ urgentSlots: 1 });
  for (const key of ["a", "b", "c"]) void add(key, `${key}1`);
  void add("d", "d1", { urgent: true });
  void add("e", "e1", { urgent: true });
  expect(started).toEqual(["a1", "d1"]);
  await end("a1");
  expect(started).toEqual(["a1", "d1", "e1"]);
  await end("d1");
  expect(started).toEqual(["a1", "d1", "e1", "b1"]);
  await end("e1");
  expect(started).toEqual(["a1", "d1", "e1", "b1"]);
});

test("one end starts every job that it was blocking", async () => {
  const { started, add, end } = useQueue({ slots: 2, slotsPerKey: 1, urgentSlots: 1 });
  void add("a", "a1");
  void add("b", "b1");
  void add("a", "a2", { urgent: true });
  expect(started).toEqual(["a1"]);
  await end("a1");
  expect(started).toEqual(["a1", "a2", "b1"]);
});

test("a job aborted while it waits never starts, and the next one takes its turn", async () => {
  const { queue, started, add, end } = useQueue({ slots: 1 });
  const controller = new AbortController();
  void add("a", "a1");
  const aborted = add("b", "b1", { signal: controller.signal });
  void add("c", "c1");
  controller.abort(new Error("cancelled"));
  await expect(aborted).rejects.toThrow("cancelled");
  await end("a1");
  expect(started).toEqual(["a1", "c1"]);
  expect(queue.waiting("b")).toBe(0);
  await expect(add("b", "b2", { signal: controller.signal })).rejects.toThrow("cancelled");
});

test("a failed job releases its slot", async () => {
  const { queue, started, add } = useQueue({ slots: 1 });
  const failing = queue.run("a", () => Promise.reject(new Error("broken")));
  void add("b", "b1");
  await expect(failing).rejects.toThrow("broken");
  expect(started).toEqual(["b1"]);
});

test("a key without jobs is forgotten, also after an aborted wait: thousands of addresses fill no memory", async () => {
  const { queue, add, end } = useQueue({ slots: 1 });
  const controller = new AbortController();
  void add("a", "a1");
  const aborted = ["b", "c"].map((key) => add(key, `${key}1`, { signal: controller.signal }));
  expect(queue.keys()).toBe(3);
  controller.abort(new Error("cancelled"));
  await Promise.allSettled(aborted);
  expect(queue.keys()).toBe(1);
  await end("a1");
  expect(queue.keys()).toBe(0);
});
