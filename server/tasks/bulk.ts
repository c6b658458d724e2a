import { MAX_BULK_TASKS } from "../../contract/bulk-limit.ts";
import type { TaskFilter } from "../../contract/task-list.ts";
import { isFinal } from "../engine/tasks/task.ts";
import { AppError } from "../lib/errors.ts";
import type { Tasks } from "./tasks.ts";

export interface BulkResult {
  taskId: string;
  ok: boolean;
  newTaskId?: string;
  error?: string;
  message?: string;
}

export interface BulkRequest {
  action: "cancel" | "rerun";
  ids?: readonly string[] | undefined;
  filter?: TaskFilter | undefined;
  version: "original" | "current";
}

const AT_ONCE = 10;
const BATCH_SIZE = 200;

/** Cancels or reruns many tasks. One that cannot be changed does not stop the others. */
export function createBulk(tasks: Tasks) {
  async function changeOne(
    ownerId: string,
    taskId: string,
    { action, version }: BulkRequest,
  ): Promise<BulkResult> {
    if (action === "cancel") {
      await tasks.cancel(ownerId, taskId);
      return { taskId, ok: true };
    }
    const status = await tasks.status(ownerId, taskId);
    if (status === "failed") {
      await tasks.rerunFromFailed(ownerId, taskId, version);
      return { taskId, ok: true };
    }
    if (!isFinal(status))
      throw new AppError("task_not_failed", `Only an ended task can be rerun; this one is ${status}.`);
    const { task } = await tasks.replay(ownerId, taskId, { version });
    return { taskId, ok: true, newTaskId: task.id };
  }

  async function matching(ownerId: string, filter: TaskFilter): Promise<{ ids: string[]; hasMore: boolean }> {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await tasks.list(ownerId, { ...filter, limit: BATCH_SIZE, cursor });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && ids.length < MAX_BULK_TASKS);
    return {
      ids: ids.slice(0, MAX_BULK_TASKS),
      hasMore: cursor !== undefined || ids.length > MAX_BULK_TASKS,
    };
  }

  return async function bulk(ownerId: string, request: BulkRequest) {
    const { ids, hasMore } =
      request.filter === undefined
        ? { ids: [...new Set(request.ids)], hasMore: false }
        : await matching(ownerId, request.filter);
    const results: BulkResult[] = [];
    for (let first = 0; first < ids.length; first += AT_ONCE)
      results.push(
        ...(await Promise.all(
          ids.slice(first, first + AT_ONCE).map((taskId) =>
            changeOne(ownerId, taskId, request).catch((error: unknown): BulkResult => {
              if (!(error instanceof AppError)) throw error;
              return { taskId, ok: false, error: error.code, message: error.message };
            }),
          ),
        )),
      );
    return { results, hasMore };
  };
}
