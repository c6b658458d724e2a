import { Link } from "wouter";
import { useRecentTasks } from "../../../api/tasks.ts";
import type { TaskSummary } from "../../../api/types.ts";
import { Ago } from "../../../ui/ago.tsx";
import { StatusChip } from "../../../ui/status.tsx";

const SHOWN = 10;

interface RecentCallsProps {
  workflowId: string;
  trigger: TaskSummary["trigger"];
  empty: string;
}

/** The newest runs that this kind of trigger started. */
export function RecentCalls({ workflowId, trigger, empty }: RecentCallsProps) {
  const runs = useRecentTasks({ workflowId, trigger, limit: SHOWN }).data?.tasks;
  if (runs === undefined) return null;
  if (runs.length === 0) return <p className="small muted">{empty}</p>;
  return (
    <ul className="plain-list">
      {runs.map((task) => (
        <li key={task.id} className="call-row">
          <StatusChip status={task.status} />
          <span className="small muted grow ellipsis">
            <Ago at={task.createdAt} /> {task.error !== null && `· ${task.error.message}`}
          </span>
          <Link className="small" href={`/runs/${task.id}`}>
            Open run
          </Link>
        </li>
      ))}
    </ul>
  );
}
