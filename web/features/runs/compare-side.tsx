import { ChevronDown } from "lucide-react";
import { Link } from "wouter";
import { useRecentTasks } from "../../api/tasks.ts";
import type { Task } from "../../api/types.ts";
import { runLabel, versionLabel } from "../../flow/run-label.ts";
import { Menu } from "../../ui/menu.tsx";
import { StatusChip, statusLabel } from "../../ui/status.tsx";
import { duration, startTime } from "../../ui/time.ts";

interface CompareSideProps {
  letter: "A" | "B";
  task: Task;
  /** Another run of the same workflow. */
  onPick: (taskId: string) => void;
}

/** One of the two runs, and a menu of others of its workflow. */
export function CompareSide({ letter, task, onPick }: CompareSideProps) {
  const recent = useRecentTasks({ workflowId: task.workflowId, limit: 20 }).data?.tasks ?? [];
  const ms =
    task.startedAt === null || task.completedAt === null
      ? null
      : Date.parse(task.completedAt) - Date.parse(task.startedAt);
  return (
    <div className="cmp-side">
      <span className={`cmp-letter ${letter === "A" ? "bad" : "ok"}`}>{letter}</span>
      <Link href={`/runs/${task.id}`}>{runLabel(task.id)}</Link>
      <StatusChip status={task.status} />
      <span className="muted small ellipsis grow">
        {versionLabel(task.workflowVersion)} · {startTime(task.createdAt)}
        {ms === null ? "" : ` · ${duration(ms)}`}
      </span>
      <Menu
        trigger={
          <button type="button" className="btn ghost icon" aria-label={`Choose run ${letter}`}>
            <ChevronDown size={14} />
          </button>
        }
        groups={[
          recent
            .filter(({ id }) => id !== task.id)
            .map(({ id, status, createdAt }) => ({
              label: `${runLabel(id)} · ${statusLabel(status)} · ${startTime(createdAt)}`,
              onSelect: () => onPick(id),
            })),
        ]}
      />
    </div>
  );
}
