import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { StepAttempt } from "../../contract/tasks.ts";
import { useChange } from "./change.ts";
import { call } from "./client.ts";
import { usePages } from "./pages.ts";
import type { Approval, Task, TaskStatus, TaskSummary } from "./types.ts";

export type { StepAttempt };

export interface TaskFilter {
  status?: string | undefined;
  workflowId?: string | undefined;
}

const WATCH_MS = 5000;

const FINAL: ReadonlySet<TaskStatus> = new Set(["completed", "failed", "cancelled", "rejected"]);
export function isFinal(status: TaskStatus): boolean {
  return FINAL.has(status);
}

export function useTaskPages({ status, workflowId }: TaskFilter) {
  return usePages<TaskSummary>(
    { noun: "tasks", path: "/api/tasks", filter: { status, workflowId } },
    { watchMs: WATCH_MS },
  );
}

/** The newest runs, of one workflow or of all, and whether there are older ones. */
export function useRecentTasks({
  workflowId,
  limit,
  enabled = true,
}: {
  workflowId?: string;
  limit: number;
  enabled?: boolean;
}) {
  const of = workflowId === undefined ? "" : `&workflowId=${workflowId}`;
  return useQuery({
    queryKey: ["tasks", "recent", workflowId ?? "", limit],
    queryFn: () =>
      call<{ tasks: TaskSummary[]; nextCursor: string | null }>(`/api/tasks?limit=${limit}${of}`),
    refetchInterval: WATCH_MS,
    enabled,
  });
}

export function useTask(id: string | undefined) {
  return useQuery({
    queryKey: ["task", id],
    queryFn: () => readTask(id ?? ""),
    enabled: id !== undefined,
    staleTime: 0,
  });
}

export async function readTask(id: string): Promise<Task> {
  return (await call<{ task: Task }>(`/api/tasks/${id}`)).task;
}

/** How each try of a step went; read anew whenever the run says something new about the step. */
export function useAttempts(taskId: string, stepId: string, news: string) {
  const path = `/api/tasks/${taskId}/steps/${encodeURIComponent(stepId)}/attempts`;
  const list = usePages<StepAttempt>({ noun: "attempts", path }, { alwaysFresh: true });
  const { refetch } = list;
  const known = useRef(news);
  useEffect(() => {
    if (known.current !== news) void refetch();
    known.current = news;
  }, [news, refetch]);
  return list;
}

export function useApprovals(taskId?: string) {
  return usePages<Approval>(
    { noun: "approvals", path: "/api/approvals", filter: { taskId } },
    { watchMs: 10_000 },
  );
}

export async function startRun(workflowId: string, input: unknown): Promise<string> {
  // The key makes a second click, or a request sent again by the browser, the same run.
  const headers = { "idempotency-key": crypto.randomUUID() };
  return (await call<{ taskId: string }>(`/api/workflows/${workflowId}/run`, { body: { input }, headers }))
    .taskId;
}

export interface PartialRun {
  stepIds: string[];
  input?: unknown;
  fromTaskId?: string;
}
export async function startPartialRun(workflowId: string, selection: PartialRun): Promise<string> {
  return (await call<{ taskId: string }>(`/api/workflows/${workflowId}/run-partial`, { body: selection }))
    .taskId;
}

export interface Decision {
  taskId: string;
  stepId?: string;
  decision: "approve" | "reject";
  comment?: string;
}
export async function decide({ taskId, ...body }: Decision): Promise<void> {
  await call(`/api/tasks/${taskId}/resume`, { body });
}

export interface Replay {
  fromStepId?: string;
  input?: unknown;
  version?: "current";
}
export async function replay(taskId: string, body: Replay): Promise<string> {
  return (await call<{ taskId: string }>(`/api/tasks/${taskId}/replay`, { body })).taskId;
}

export async function rerunFromFailed(taskId: string): Promise<string> {
  return (await call<{ rerunFromStep: string }>(`/api/tasks/${taskId}/rerun-from-failed`, { method: "POST" }))
    .rerunFromStep;
}

export async function cancelTask(taskId: string): Promise<void> {
  await call(`/api/tasks/${taskId}/cancel`, { method: "POST" });
}

/** An action on tasks; whatever shows tasks reads them anew. */
export function useTaskAction<Input, Output>(
  action: (input: Input) => Promise<Output>,
  then?: (output: Output) => void,
) {
  return useChange(["task", "tasks", "attempts", "approvals"], action, then);
}
