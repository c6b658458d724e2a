import type { RerunEntry, StepEntry } from "../journal/journal-entry.ts";
import { rerunEntry, stepEntry } from "./entry-samples.ts";
import type { ApprovalDecision } from "../approval-store.ts";
import type { EngineStore, NewTask, TaskChange } from "../store.ts";
import type { EngineTask } from "../tasks/engine-task.ts";
import { createId } from "../../lib/ids.ts";

export const DAY = 24 * 3600 * 1000;
export const NOW = 1_800_000_000_000;

export function newTask(more: Partial<NewTask> = {}): NewTask {
  return {
    id: createId("task", NOW),
    ownerId: "user_1",
    lane: "task",
    workflowId: "wf_1",
    workflowVersion: 1,
    trigger: "manual",
    input: {},
    options: null,
    parentTaskId: null,
    parentStep: null,
    rootTaskId: null,
    depth: 0,
    epoch: 1,
    wake: 0,
    createdAt: NOW,
    startedAt: NOW,
    status: "running",
    workerId: "worker_1",
    runAt: null,
    idempotency: undefined,
    entries: [],
    ...more,
  };
}

export function queued(runAt: number): NewTask {
  return newTask({ status: "queued", workerId: null, startedAt: null, runAt });
}

export async function accepted(store: EngineStore, more: Partial<NewTask> = {}): Promise<NewTask> {
  const task = newTask(more);
  await store.accept(task);
  return task;
}

/** Claims the longest due tasks of all owners. */
export async function claim(
  store: Pick<EngineStore, "pollDue" | "claimDue">,
  workerId: string,
  limit: number,
  now: number,
  lane?: string,
): Promise<EngineTask[]> {
  const { due } = await store.pollDue(limit, now, lane);
  return store.claimDue(workerId, due, now, lane);
}

/** When the next task of a lane is due, also one that is due already. */
export async function nextDue(store: Pick<EngineStore, "pollDue">, lane?: string): Promise<number | null> {
  return (await store.pollDue(1, -1, lane)).next;
}

export function keyed(key: string, bodyHash: string) {
  return { scope: "endpoint", key, bodyHash };
}

export function step(seq: number, path: string, more: Partial<StepEntry> = {}): StepEntry {
  return stepEntry({ seq, at: NOW, path, type: "transform", ...more });
}

export function rerun(seq: number): RerunEntry {
  return rerunEntry({ seq, at: NOW, cleared: ["a"] });
}

export function ending(status: TaskChange["status"], more: Partial<TaskChange> = {}): TaskChange {
  return {
    status,
    runAt: null,
    seenWake: null,
    result: null,
    resultRef: null,
    error: null,
    completedAt: NOW,
    ...more,
  };
}

export function parking(
  seenWake: number,
  runAt: number | null,
  status: TaskChange["status"] = "waiting",
): TaskChange {
  return { status, runAt, seenWake, result: null, resultRef: null, error: null, completedAt: null };
}

export function decided(decision: ApprovalDecision["decision"]): ApprovalDecision {
  return { decision, comment: "why", data: { n: 1 }, decidedBy: "user_1", decidedAt: NOW };
}
