import { RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { FailureGroup } from "../../api/stats.ts";
import { changeTasks, useTaskMutation } from "../../api/tasks.ts";
import { useWorkflowName } from "../../api/workflows.ts";
import { isConnectionError } from "../../flow/connection-error.ts";
import { Allowed } from "../../ui/allowed.tsx";
import { Failure } from "../../ui/states.tsx";
import { shortDateTime } from "../../ui/time.ts";
import { showToast } from "../../ui/toasts.tsx";
import { builderLink } from "../builder/builder-link.ts";

interface GroupProps {
  group: FailureGroup;
  bars: ReactNode;
  onMute: () => void;
}

export function Group({ group, bars, onMute }: GroupProps) {
  const { workflowId, stepId, stepTitle, code, message, count, firstAt, lastAt, taskIds } = group;
  const nameOf = useWorkflowName();
  const rerun = useTaskMutation(rerunAll, ({ started, refused }) =>
    showToast(
      refused === 0
        ? `${started} ${started === 1 ? "run continues" : "runs continue"} from the failed step.`
        : `${started} continue, ${refused} could not be rerun.`,
    ),
  );
  const [first, last] = [shortDateTime(firstAt), shortDateTime(lastAt)];
  return (
    <div className="home-item">
      <p className="home-title">
        <span className="c-bad num">{count}×</span>{" "}
        <Link href={`/runs/${taskIds[0]}`} title="Open the newest of these runs">
          {message}
        </Link>
      </p>
      <p className="small muted">
        {nameOf(workflowId)}
        {stepTitle !== null && ` › ${stepTitle}`} · {first === last ? first : `${first} to ${last}`}
      </p>
      {rerun.error !== null && <Failure error={rerun.error} />}
      <div className="row home-buttons">
        {isConnectionError({ code }) && (
          <Link href={`/runs/${taskIds[0]}`} className="btn go">
            Fix connection
          </Link>
        )}
        <Allowed to="changeTasks">
          <button
            type="button"
            className="btn"
            disabled={rerun.isPending}
            aria-label={`Rerun ${taskIds.length}: ${message}`}
            onClick={() => rerun.mutate(taskIds)}
          >
            <RotateCcw size={14} /> {rerun.isPending ? "Rerunning …" : `Rerun ${taskIds.length}`}
          </button>
        </Allowed>
        <Link
          href={stepId === null ? `/workflows/${workflowId}` : builderLink(workflowId, stepId)}
          className="btn"
        >
          Open step
        </Link>
        <button type="button" className="btn ghost" aria-label={`Mute: ${message}`} onClick={onMute}>
          Mute
        </button>
        <span className="grow" />
        {bars}
      </div>
    </div>
  );
}

/** With the live version. A run that was rerun or deleted meanwhile is left out. */
async function rerunAll(taskIds: readonly string[]): Promise<{ started: number; refused: number }> {
  const results = await changeTasks({ action: "rerun", ids: [...taskIds], version: "current" });
  const started = results.filter(({ ok }) => ok).length;
  return { started, refused: results.length - started };
}
