import { type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
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

const taskQuery = (id: string) => ({ queryKey: ["task", id], queryFn: () => readTask(id) });

export function useTask(id: string | undefined) {
  return useQuery({ ...taskQuery(id ?? ""), enabled: id !== undefined, staleTime: 0 });
}

/** Several at once, in their order; those that are not there yet are left out. */
export function useTasks(ids: readonly string[]): Task[] {
  return useQueries({
    queries: ids.map((id) => ({
      ...taskQuery(id),
      // One that has ended is not read again each time the window is looked at.
      staleTime: ({ state }: { state: { data: Task | undefined } }) =>
        state.data !== undefined && isFinal(state.data.status) ? Infinity : 0,
    })),
    combine: thoseRead,
  });
}

function thoseRead(queries: UseQueryResult<Task>[]): Task[] {
  return queries.flatMap(({ data }) => data ?? []);
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
  const headers = { "idempotency-key": newKey() };
  return (await call<{ taskId: string }>(`/api/workflows/${workflowId}/run`, { body: { input }, headers }))
    .taskId;
}

/** Not by `randomUUID`, which browsers offer over https and on the machine's own address alone. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

export interface PartialRun {
  stepIds: readonly string[];
  input?: unknown;
  fromTaskId?: string;
  outputs?: Record<string, unknown>;
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
export async function decide({ taskId, ...body }: Decision): Promise<Decision["decision"]> {
  await call(`/api/tasks/${taskId}/resume`, { body });
  return body.decision;
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
