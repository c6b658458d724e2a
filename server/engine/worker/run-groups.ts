import { compileTemplate } from "../../../contract/placeholders/compile.ts";
import { renderTemplate, type TriggerRequest } from "../../../contract/placeholders/render.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Limits } from "../../limits/limits.ts";
import type { StartTask } from "../engine-api.ts";
import type { Accepted, EngineStore, NewTask, RunGroup } from "../store.ts";
import { createDueLoop, type DueLoop } from "./due-loop.ts";

export interface RunGroupsDeps {
  store: Pick<EngineStore, "enterGroup" | "promoteGroups" | "replacedTasks">;
  clock: Clock;
  limits: Pick<Limits, "max" | "refuse">;
  cancel(taskId: string): Promise<unknown>;
  /** Tasks of a group are due. */
  workIsDue(): void;
  onError(error: unknown, what: string): void;
}

const BATCH_SIZE = 50;
const DEFAULT_MAX_WAITING = 100_000;

export interface RunGroups extends DueLoop {
  /** Stores the task as a member of its group, running or waiting. Throws `run_skipped` when the group is full. */
  enter(task: NewTask, group: RunGroup): Promise<Accepted>;
}

/** Limits how many runs of a workflow, or with the same key, are in progress at once, in all processes. */
export function createRunGroups(deps: RunGroupsDeps): RunGroups {
  const { store, clock, limits } = deps;

  /** Ended members make room; replaced ones end. Both may have been left by a process that crashed. */
  const loop = createDueLoop({
    clock,
    async takeDue() {
      const replaced = await store.replacedTasks(BATCH_SIZE);
      for (const taskId of replaced) await deps.cancel(taskId);
      const promoted = await store.promoteGroups(BATCH_SIZE, clock.now());
      if (promoted > 0) deps.workIsDue();
      return promoted === BATCH_SIZE || replaced.length === BATCH_SIZE;
    },
    nextDue: () => Promise.resolve(null),
    onError: (error) => deps.onError(error, "starting waiting runs"),
  });

  return {
    ...loop,
    async enter(task, group) {
      const entry = await store.enterGroup(task, group);
      if (entry.entered) {
        loop.poll();
        deps.workIsDue();
        return { inserted: true };
      }
      const { existing } = entry;
      if (existing.inserted || existing.taskId !== null) return existing;
      if (group.whenFull !== "skip")
        throw limits.refuse("queued_tasks", "Too many runs of this workflow wait for their turn.", {
          retryAfterSeconds: 5,
          ownerId: task.ownerId,
        });
      throw new AppError(
        "run_skipped",
        "A run of this workflow is in progress, and its settings skip further ones. Send the request again when it has ended.",
      );
    },
  };
}

/** A function redacts the request only when it is read. */
export function requestOf({ request }: StartTask): TriggerRequest | undefined {
  return typeof request === "function" ? request() : request;
}

/** Undefined for a run without a limit, and for those that a step or the builder starts: they belong to another run. */
export function groupOf(request: StartTask, limits: Pick<Limits, "max">): RunGroup | undefined {
  const { workflow, parentStep, selection, input, trigger } = request;
  const { concurrency } = workflow.settings ?? {};
  if (concurrency === undefined || parentStep !== undefined || selection !== undefined) return undefined;
  const { key, limit, whenFull } = concurrency;
  const value =
    key === undefined
      ? null
      : renderTemplate(compileTemplate(key), { input, trigger: { kind: trigger, ...requestOf(request) } });
  return {
    key: key === undefined ? workflow.id : `${workflow.id} ${JSON.stringify(value)}`,
    limit,
    whenFull,
    maxWaiting: limits.max("queued_tasks", workflow.ownerId) || DEFAULT_MAX_WAITING,
  };
}
