import { describe, expect, test } from "vitest";
import { AppError } from "../../lib/errors.ts";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import type { EngineStore } from "../store.ts";
import { pathOf } from "../testing/entry-samples.ts";
import { gate, reaches, start, storeWithHooks, work } from "../testing/gated.ts";
import { openBench } from "../testing/open-engine.ts";
import { HOUR_MS, hourLongNap, settableClock } from "../testing/settable-clock.ts";

const LEASE_MS = 300;

const unreachable = (): AppError => new AppError("storage_unavailable", "gone", { retryable: true });

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A store that is unreachable while `isDown`. */
function withOutages(store: EngineStore) {
  const outage = { isDown: false, refused: [] as string[], store };
  outage.store = new Proxy(store, {
    get(target, method: keyof EngineStore) {
      const original = target[method] as (...parameters: unknown[]) => Promise<unknown>;
      return (...parameters: unknown[]) => {
        if (!outage.isDown) return original(...parameters);
        outage.refused.push(method);
        return Promise.reject(unreachable());
      };
    },
  });
  return outage;
}

/** The first call fails when the test says so; later ones do the work. */
function failsFirst<T>(work: () => Promise<T>) {
  let fail: (() => void) | undefined;
  return {
    isCalled: () => fail !== undefined,
    fail: () => fail!(),
    call: () =>
      fail === undefined
        ? new Promise<T>((_resolve, reject) => (fail = () => reject(unreachable())))
        : work(),
  };
}

describe("a step that ends while the database is unreachable", () => {
  test.each([
    ["60 % of the lease", 0.7],
    ["the whole lease", 4],
  ])("[R27] for longer than %s is recorded afterwards and runs once", async (_name, leases) => {
    const { run, open, isAt, begun } = gate();
    const bench = await openBench({ http: run });
    const outage = withOutages(bench.store);
    const clock = settableClock();
    const engine = await bench.engine({ store: outage.store, clock, leaseMs: LEASE_MS });
    const taskId = await start(bench, engine, "w", [work("a"), work("b")]);
    await expect.poll(() => isAt("a")).toBe(true);
    outage.isDown = true;
    clock.aheadMs = LEASE_MS * leases;
    open("a");
    await expect.poll(() => outage.refused).toContain("record");
    outage.isDown = false;
    await expect.poll(() => isAt("b")).toBe(true);
    open("b");
    await reaches(bench, taskId, "completed");
    expect(begun).toEqual(["a", "b"]);
    await engine.close();
  });

  test("waits for the outputs that the result of the task needs", async () => {
    const bench = await openBench({
      http: ({ path }) => {
        begun.push(path);
        return Promise.resolve({ output: path });
      },
    });
    const begun: string[] = [];
    const first = await bench.engine();
    const steps = [work("a"), hourLongNap, work("b")];
    const taskId = await start(bench, first, "w", steps, [edge("nap", "b")]);
    await reaches(bench, taskId, "waiting");
    await first.close();
    const outputs = failsFirst(() => bench.store.outputs(taskId, ["a"]));
    const engine = await bench.engine({
      store: storeWithHooks(bench.store, { outputs: outputs.call }),
      clock: settableClock(HOUR_MS),
    });
    await expect.poll(outputs.isCalled).toBe(true);
    outputs.fail();
    await reaches(bench, taskId, "completed");
    expect(begun).toEqual(["a", "b"]);
    expect((await engine.read(taskId))!.task.result?.outputs).toEqual({ a: "a", b: "b" });
    await engine.close();
  });
});

describe("a branch that is interrupted", () => {
  const secrets = (): Promise<Record<string, string>> => Promise.resolve({});
  const reader = { ...work("reader"), url: "http://{{vars.host}}" };
  const beside = (stepId: string) => [edge(stepId, "end"), edge("reader", "end")];

  test("[R27] by a failed read lets its siblings end and be recorded before the task is resumed", async () => {
    const { run, open, isAt, begun } = gate();
    const bench = await openBench({ http: run });
    const variables = failsFirst(() => Promise.resolve({ host: "x" }));
    const engine = await bench.engine({
      vault: { variables: variables.call, secrets },
      orphanCheckMs: 10,
    });
    const taskId = await start(bench, engine, "w", [work("slow"), reader, value("end")], beside("slow"));
    await expect.poll(() => isAt("slow") && variables.isCalled()).toBe(true);
    variables.fail();
    await endOfTurn();
    open("slow");
    await expect.poll(() => isAt("reader")).toBe(true);
    open("reader");
    await reaches(bench, taskId, "completed");
    expect(begun).toEqual(["slow", "reader"]);
    await engine.close();
  });

  test("waits for no more than the steps in flight: a loop beside it starts no further iteration", async () => {
    const { run, open, isAt, begun } = gate();
    const bench = await openBench({ http: run });
    const variables = failsFirst(() => Promise.resolve({ host: "x" }));
    const engine = await bench.engine({
      vault: { variables: variables.call, secrets },
      orphanCheckMs: 10,
    });
    const each = {
      stepId: "each",
      type: "foreach",
      items: [1, 2, 3],
      concurrency: 1,
      steps: [work("x"), work("y")],
      edges: [edge("x", "y")],
    };
    const taskId = await start(bench, engine, "w", [each, reader, value("end")], beside("each"));
    await expect.poll(() => isAt("each[0]/x") && variables.isCalled()).toBe(true);
    variables.fail();
    await endOfTurn();
    open("each[0]/x");
    // The loop has more to do, and the reader is resumed all the same.
    await expect.poll(() => isAt("reader")).toBe(true);
    expect(begun.filter((path) => path === "each[0]/x")).toHaveLength(1);
    const finish = setInterval(() => begun.forEach((path) => open(path)), 1);
    await reaches(bench, taskId, "completed");
    clearInterval(finish);
    expect(begun).toEqual([...new Set(begun)]);
    await engine.close();
  });

  test("because the lease has expired lets its siblings be recorded before the task is released", async () => {
    const { run, open, isAt, begun } = gate();
    const bench = await openBench({ http: run });
    const clock = settableClock();
    const engine = await bench.engine({ clock, leaseMs: 600_000 });
    const steps = [work("slow"), work("quick"), work("next")];
    const taskId = await start(bench, engine, "w", steps, [edge("quick", "next")]);
    await expect.poll(() => isAt("slow") && isAt("quick")).toBe(true);
    clock.aheadMs = 3_600_000;
    open("quick");
    const recorded = async (): Promise<string[]> => (await bench.store.heads(taskId)).map(pathOf);
    await expect.poll(recorded).toEqual(["quick"]);
    open("slow");
    await reaches(bench, taskId, "queued");
    expect(await recorded()).toEqual(["quick", "slow"]);
    expect(begun).toEqual(["slow", "quick"]);
    await engine.close();
  });
});
