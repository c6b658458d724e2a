import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type * as z from "zod";
import type { bulkTasksSchema, taskFilterSchema } from "../../contract/task-list.ts";
import type { replaySchema, RunPartial, StepAttempt } from "../../contract/tasks.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { pagingOf, usePages } from "./pages.ts";
import type { Responses } from "./responses.ts";
import type { Task, TaskStatus } from "./types.ts";

export type { StepAttempt };

/** The parameters of a list of tasks, as they are in a URL. */
export type TaskFilter = Partial<Record<keyof z.input<typeof taskFilterSchema>, string>>;

const POLL_MS = 5000;

const FINAL: ReadonlySet<TaskStatus> = new Set(["completed", "failed", "cancelled", "rejected"]);
export function isFinal(status: TaskStatus): boolean {
  return FINAL.has(status);
}

export function useTaskPages(filter: TaskFilter) {
  return usePages({ noun: "tasks", path: "/api/tasks", filter }, { pollMs: POLL_MS });
}

/** Tasks by status, for the filter without its status. */
export function useTaskCounts(filter: TaskFilter) {
  const { status: _status, ...rest } = filter;
  const search = new URLSearchParams(rest).toString();
  return useQuery({
    queryKey: ["tasks", "counts", search],
    queryFn: () => request("taskCounts", `/api/tasks/counts?${search}`),
    refetchInterval: 2 * POLL_MS,
  }).data;
}

const ID_PAGE = 200;

/** The ids of the newest tasks that match, as many as one bulk request takes. */
export async function readTaskIds(filter: TaskFilter, most: number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null && ids.length < most;) {
    const search = new URLSearchParams({ ...filter, limit: String(ID_PAGE), cursor }).toString();
    const page: Responses["tasks"] = await request("tasks", `/api/tasks?${search}`);
    ids.push(...page.tasks.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return ids.slice(0, most);
}

/** Cancels or reruns tasks; each has its own result. */
export async function changeTasks(
  body: z.input<typeof bulkTasksSchema>,
): Promise<Responses["bulkTasks"]["results"]> {
  return (await request("bulkTasks", "/api/tasks/bulk", { body })).results;
}

interface RecentTasks {
  workflowId?: string;
  /** Only runs that this kind of trigger started. */
  trigger?: Task["trigger"];
  limit: number;
}

/** The newest runs, of one workflow or of all; `nextCursor` is set when there are older ones. */
export function useRecentTasks({ workflowId, trigger, limit }: RecentTasks) {
  const search = new URLSearchParams({ limit: String(limit) });
  if (workflowId !== undefined) search.set("workflowId", workflowId);
  if (trigger !== undefined) search.set("trigger", trigger);
  return useQuery({
    queryKey: ["tasks", "recent", search.toString()],
    queryFn: () => request("tasks", `/api/tasks?${search.toString()}`),
    refetchInterval: POLL_MS,
  });
}

export const taskQuery = (id: string) => ({ queryKey: ["task", id], queryFn: () => readTask(id) });

/** `lastSeq` is the event after which the stream continues what this response shows. */
export type ReadTask = Task & { lastSeq: number };

export function useTask(id: string | undefined) {
  return useQuery({ ...taskQuery(id ?? ""), enabled: id !== undefined, staleTime: 0 });
}

async function readTask(id: string): Promise<ReadTask> {
  const { task, lastSeq } = await request("task", `/api/tasks/${id}`);
  // Inside the object: React Query copies what it reads again.
  return { ...task, lastSeq: lastSeq ?? 0 };
}

const LOOP_POLL_MS = 2000;

/** The items of a loop, page by page; polled while the loop runs. */
export function useLoopItems(
  taskId: string,
  path: string,
  { isLive, onlyProblems }: { isLive: boolean; onlyProblems: boolean },
) {
  const query = useInfiniteQuery({
    queryKey: ["task", taskId, "items", path, onlyProblems],
    queryFn: ({ pageParam }) =>
      request(
        "loopItems",
        `/api/tasks/${taskId}/steps/${encodeURIComponent(path)}/items?problems=${onlyProblems}${pageParam === null ? "" : `&cursor=${pageParam}`}`,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: isLive ? LOOP_POLL_MS : false,
  });
  const newest = query.data?.pages.at(-1);
  return {
    items: query.data?.pages.flatMap(({ items }) => items) ?? [],
    total: newest?.total ?? 0,
    counts: newest?.counts ?? {},
    error: query.error,
    ...pagingOf(query),
  };
}

/** The events of a task with the log lines of ended attempts, oldest first. */
export function useJournal(taskId: string, isLive: boolean) {
  return usePages(
    { noun: "events", path: `/api/tasks/${taskId}/journal`, filter: { logs: "true" } },
    isLive ? { pollMs: LOOP_POLL_MS } : { alwaysFresh: true },
  );
}

/** Starts a waiting retry at once. */
export async function retryNow(taskId: string, stepId: string): Promise<void> {
  await request("resumedTask", `/api/tasks/${taskId}/retry-now`, { body: { stepId } });
}

/** All attempts of a step. `revision` changes with every event of the step and triggers a refetch. */
export function useAttempts(taskId: string, stepId: string, revision: string) {
  const path = `/api/tasks/${taskId}/steps/${encodeURIComponent(stepId)}/attempts`;
  const list = usePages({ noun: "attempts", path }, { alwaysFresh: true });
  const { refetch } = list;
  const previous = useRef(revision);
  useEffect(() => {
    if (previous.current !== revision) void refetch();
    previous.current = revision;
  }, [revision, refetch]);
  return list;
}

/** The run that a step with a sub-workflow started. */
export function useChildTask(taskId: string, stepId: string, isLive: boolean) {
  return useQuery({
    queryKey: ["task", taskId, "child", stepId],
    queryFn: async () =>
      (await request("childTask", `/api/tasks/${taskId}/steps/${encodeURIComponent(stepId)}/child`)).taskId,
    refetchInterval: ({ state }) => (isLive && (state.data ?? null) === null ? LOOP_POLL_MS : false),
  }).data;
}

export async function startRun(
  workflowId: string,
  input: unknown,
  version: "draft" | "live" = "live",
): Promise<string> {
  // A request that the browser sends twice starts one run.
  const headers = { "idempotency-key": randomKey() };
  const path = `/api/workflows/${workflowId}/run?version=${version}`;
  return (await request("startedRun", path, { body: { input }, headers })).taskId;
}

/** `crypto.randomUUID` exists in secure contexts only; the page also runs over plain HTTP. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

type PartialRun = Pick<RunPartial, "fromTaskId" | "input" | "outputs"> & { stepIds: readonly string[] };

export async function startPartialRun(
  workflowId: string,
  selection: PartialRun,
  version: "draft" | "live" = "live",
): Promise<string> {
  const path = `/api/workflows/${workflowId}/run-partial?version=${version}`;
  return (await request("partialRun", path, { body: selection })).taskId;
}

export async function replay(
  taskId: string,
  options: NonNullable<z.input<typeof replaySchema>>,
): Promise<string> {
  return (await request("replay", `/api/tasks/${taskId}/replay`, { body: options })).taskId;
}

/** Returns the step at which the run continues, and those whose results are kept. Without a version it stays on its own. */
export async function rerunFromFailed(taskId: string, version?: string): Promise<Responses["rerun"]> {
  const query = version === undefined ? "" : `?version=${version}`;
  return request("rerun", `/api/tasks/${taskId}/rerun-from-failed${query}`, { method: "POST" });
}

export async function cancelTask(taskId: string): Promise<void> {
  await request("resumedTask", `/api/tasks/${taskId}/cancel`, { method: "POST" });
}

export function useTaskMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["task", "tasks", "attempts", "approvals"], mutate, onSuccess);
}
