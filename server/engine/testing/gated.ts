import { expect } from "vitest";
import type { Engine } from "../engine-api.ts";
import type { EngineStore } from "../store.ts";
import type { StepRunner } from "../run/step-runner.ts";
import { AppError } from "../../lib/errors.ts";
import type { Bench } from "./open-engine.ts";

export const ask = { stepId: "ask", type: "approval", message: "?" };
export const work = (stepId: string, more: object = {}) => ({
  stepId,
  type: "http",
  method: "GET",
  url: stepId,
  ...more,
});
export const yes = { decision: "approve", comment: null, data: null, decidedBy: "user_1" } as const;

/** Steps of type http end when the test opens their gate. */
export function gate() {
  const open = new Map<string, ((fail: boolean) => void)[]>();
  const begun: string[] = [];
  const run: StepRunner["run"] = ({ path, signal }) => {
    begun.push(path);
    return new Promise((resolve, reject) => {
      const end = (fail: boolean): void =>
        fail ? reject(new AppError("http_error", path)) : resolve({ output: path });
      open.set(path, [...(open.get(path) ?? []), end]);
      signal.addEventListener("abort", () => reject(new Error("stopped")));
    });
  };
  return {
    begun,
    run,
    open: (path: string, fail = false) => open.get(path)?.forEach((end) => end(fail)),
    isAt: (path: string) => open.has(path),
  };
}

export function start(
  bench: Bench,
  engine: Engine,
  id: string,
  steps: Parameters<Bench["workflow"]>[1]["steps"],
  edges: Parameters<Bench["workflow"]>[1]["edges"] = [],
) {
  return engine
    .start({ workflow: bench.workflow(id, { steps, edges }), trigger: "manual", input: {} })
    .then(({ taskId }) => taskId);
}

export const statusOf = (bench: Bench, taskId: string) => async () =>
  (await bench.store.task(taskId))?.status;
export async function reaches(bench: Bench, taskId: string, status: string): Promise<void> {
  await expect.poll(statusOf(bench, taskId), { interval: 5 }).toBe(status);
}

/** A store with a hook right before or after a write. */
export function storeWithHooks(
  store: EngineStore,
  on: Partial<
    Record<
      keyof EngineStore,
      (call: () => Promise<unknown>, ...parameters: Parameters<EngineStore["record"]>) => Promise<unknown>
    >
  >,
): EngineStore {
  return new Proxy(store, {
    get(target, method: keyof EngineStore) {
      const original = target[method] as (...parameters: unknown[]) => Promise<unknown>;
      const hook = on[method];
      if (hook === undefined) return original;
      return (...parameters: unknown[]) =>
        hook(() => original(...parameters), ...(parameters as Parameters<EngineStore["record"]>));
    },
  });
}
