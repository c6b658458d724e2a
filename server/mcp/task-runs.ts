import type { Engine } from "../engine/engine-api.ts";
import type { EntryHead } from "../engine/journal/journal-entry.ts";
import { isFinal, type Task, type TaskStatus } from "../engine/tasks/task.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { createLogFollower } from "../lib/log-follower.ts";
import type { Tasks } from "../tasks/tasks.ts";
import type { OpenApproval, Run, Runs } from "./runs.ts";
import { createWakeUp } from "./wake-up.ts";

export interface TaskRunsDeps {
  engine: Engine;
  tasks: Pick<Tasks, "summary" | "listApprovals" | "cancel">;
}

/** A hint between processes may be lost: the journal is read again after this long. */
const POLL_MS = 2000;
/** A run that waits for more people than this is asked for the rest when some have answered. */
const MAX_APPROVALS = 20;
const WAIT_MS = 24 * 3600 * 1000;

const STATUS: Readonly<Record<TaskStatus, Run["status"]>> = {
  queued: "working",
  running: "working",
  waiting: "working",
  waiting_approval: "waiting_approval",
  completed: "completed",
  failed: "failed",
  rejected: "failed",
  cancelled: "cancelled",
};

/** Runs of workflows and agents. */
export function createTaskRuns({ engine, tasks }: TaskRunsDeps): Runs {
  /** Without outputs: a client polls, and a run may have megabytes. */
  async function summary(ownerId: string, id: string) {
    const task = await tasks.summary(ownerId, id);
    if (task.trigger !== "mcp") throw notFound("task", id);
    return task;
  }

  async function approvals(ownerId: string, id: string, userId?: string): Promise<OpenApproval[]> {
    const listed = await tasks.listApprovals(ownerId, { taskId: id, limit: MAX_APPROVALS }, { userId });
    const open: OpenApproval[] = [];
    // Oldest first: that is the order in which a person is asked.
    for (const { stepId, message, context, canDecide } of listed.items.toReversed()) {
      if (!canDecide) {
        open.push({ key: "", stepId, message, context, forOthers: true });
        continue;
      }
      const link = await engine.linkApproval(id, stepId);
      if (link !== undefined) open.push({ key: link.linkId, stepId, message, context });
    }
    return open;
  }

  return {
    async read(ownerId, id) {
      const task = await summary(ownerId, id);
      return isFinal(task.status) ? toRun((await engine.read(id))!.task) : toRun({ ...task, result: null });
    },

    async settled(ownerId, id, signal) {
      const { task } = await engine.settled(id, WAIT_MS, { signal });
      if (task.ownerId !== ownerId) throw notFound("task", id);
      return toRun(task);
    },

    watch(id, onProgress) {
      const wakeUp = createWakeUp();
      const ended = new Set<string>();
      const journal = createLogFollower<EntryHead>({
        after: 0,
        read: (after, limit) => engine.events(id, after, limit),
        deliver(entry) {
          if (onProgress !== undefined && isTopLevelStep(entry) && !ended.has(entry.path)) {
            ended.add(entry.path);
            onProgress({ progress: ended.size, message: `${entry.path} ${entry.status}` });
          }
          wakeUp.wake();
        },
        onError: () => wakeUp.wake(),
        pollMs: POLL_MS,
      });
      const unwatch = engine.watch(id, (event) => {
        if (event.seq !== null) journal.push(event.entry);
      });
      journal.hint();
      return {
        changed: wakeUp.next,
        caughtUp: () => journal.caughtUp(),
        close() {
          unwatch();
          journal.close();
        },
      };
    },

    async cancel(ownerId, id) {
      await summary(ownerId, id);
      await tasks.cancel(ownerId, id).catch(ignore("task_finished"));
    },

    approvals: async (ownerId, id, userId) => {
      await summary(ownerId, id);
      return approvals(ownerId, id, userId);
    },

    async decide(ownerId, id, { key, ...answer }) {
      await summary(ownerId, id);
      const approval = (await approvals(ownerId, id, answer.userId)).find((open) => open.key === key);
      if (approval === undefined || approval.forOthers === true) return false;
      try {
        await engine.decide(id, { ...answer, via: "mcp", data: null, stepId: approval.stepId, linkId: key });
        return true;
      } catch (error) {
        ignore("task_not_waiting")(error);
        return false;
      }
    },
  };
}

function isTopLevelStep(entry: EntryHead): entry is Extract<EntryHead, { kind: "step" }> {
  return entry.kind === "step" && !/[[/]/.test(entry.path);
}

function toRun(
  task: Pick<Task, "id" | "status" | "result" | "error" | "createdAt" | "startedAt" | "completedAt">,
): Run {
  return {
    id: task.id,
    status: STATUS[task.status],
    output: task.result?.output ?? null,
    error:
      task.status === "rejected"
        ? { code: "rejected", message: "A person rejected the run." }
        : task.error === null
          ? null
          : { code: task.error.code, message: task.error.message },
    createdAt: task.createdAt,
    updatedAt: task.completedAt ?? task.startedAt ?? task.createdAt,
  };
}

function ignore(code: string): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof AppError) || error.code !== code) throw error;
  };
}
