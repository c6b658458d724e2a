import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call, queryText } from "./client.ts";
import type { Approval, Task, TaskStatus, TaskSummary } from "./types.ts";

export interface TaskFilter {
  status?: string | undefined;
  workflowId?: string | undefined;
  limit?: number;
}

const FINAL: ReadonlySet<TaskStatus> = new Set(["completed", "failed", "cancelled", "rejected"]);
export function isFinal(status: TaskStatus): boolean {
  return FINAL.has(status);
}

export function useTasks({ status, workflowId, limit = 50 }: TaskFilter, refetchMs = 5000) {
  return useQuery({
    queryKey: ["tasks", status ?? "", workflowId ?? "", limit],
    queryFn: () =>
      call<{ tasks: TaskSummary[]; nextCursor: string | null }>(
        `/api/tasks${queryText({ status, workflowId, limit })}`,
      ),
    refetchInterval: refetchMs,
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

export function useApprovals() {
  return useQuery({
    queryKey: ["approvals"],
    queryFn: () => call<{ approvals: Approval[] }>("/api/approvals?limit=100"),
    select: (answer) => answer.approvals,
    refetchInterval: 10_000,
  });
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
  const client = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSuccess: (output) => then?.(output),
    onSettled: () => {
      for (const key of ["task", "tasks", "approvals"]) void client.invalidateQueries({ queryKey: [key] });
    },
  });
}
