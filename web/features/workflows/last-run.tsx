import { Link } from "wouter";
import { useRecentTasks } from "../../api/tasks.ts";
import type { TaskSummary } from "../../api/types.ts";
import { Ago } from "../../ui/ago.tsx";
import { StatusChip } from "../../ui/status.tsx";

/** The newest runs of all workflows, which usually include the last run of each. */
export interface RecentRuns {
  byWorkflow: ReadonlyMap<string, TaskSummary>;
  /** False when older runs exist: one of them may be the last run of a workflow. */
  isComplete: boolean;
}

const RECENT_LIMIT = 200;

export function useRecentRuns(): RecentRuns | undefined {
  const { data } = useRecentTasks({ limit: RECENT_LIMIT });
  if (data === undefined) return undefined;
  const byWorkflow = new Map<string, TaskSummary>();
  for (const task of data.tasks) if (!byWorkflow.has(task.workflowId)) byWorkflow.set(task.workflowId, task);
  return { byWorkflow, isComplete: data.nextCursor === null };
}

export function LastRun({ workflowId, recent }: { workflowId: string; recent: RecentRuns | undefined }) {
  const known = recent?.byWorkflow.get(workflowId);
  const isOlder = recent !== undefined && known === undefined && !recent.isComplete;
  const older = useRecentTasks({ workflowId, limit: 1, enabled: isOlder });
  const run = known ?? older.data?.tasks[0];
  if (run === undefined) {
    // Until the service has responded, "never" would be a guess.
    const isNever = recent !== undefined && (!isOlder || older.data !== undefined);
    return <span className="muted">{isNever ? "never" : ""}</span>;
  }
  return (
    <Link href={`/runs/${run.id}`} className="row last-run">
      <StatusChip status={run.status} />{" "}
      <span className="muted wide-only">
        <Ago at={run.createdAt} />
      </span>
    </Link>
  );
}
