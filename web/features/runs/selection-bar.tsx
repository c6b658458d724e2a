import { Ban, GitCompare, RotateCcw, X } from "lucide-react";
import { useLocation } from "wouter";
import { MAX_BULK_TASKS } from "../../../contract/bulk-limit.ts";
import { messageOf } from "../../api/api-error.ts";
import { changeTasks, isFinal, readTaskIds, useTaskMutation } from "../../api/tasks.ts";
import type { TaskSummary } from "../../api/types.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { formatCount } from "../../ui/tokens.ts";

interface SelectionBarProps {
  ids: readonly string[];
  /** Those of the selection that are on the screen. */
  tasks: readonly TaskSummary[];
  onSelect: (ids: readonly string[]) => void;
}

/** What can be done with the selected runs. */
export function SelectionBar({ ids, tasks, onSelect }: SelectionBarProps) {
  const [, navigate] = useLocation();
  const change = useTaskMutation(changeTasks, (results) => {
    const failed = results.filter(({ ok }) => !ok);
    const done = `${formatCount(results.length - failed.length)} changed`;
    showToast(
      failed.length === 0 ? `${done}.` : `${done}, ${failed.length} not: ${failed[0]?.message ?? ""}`,
    );
    onSelect([]);
  });
  const [older, newer] = ids.toSorted((a, b) => (a < b ? -1 : 1));
  const workflows = new Set(tasks.map(({ workflowId }) => workflowId));
  const canCompare = ids.length === 2 && tasks.length === 2 && workflows.size === 1;
  const [sample] = tasks;
  const error = sample?.status === "failed" ? sample.error : null;
  const selectSame = (): void =>
    void readTaskIds(
      { status: "failed", workflowId: sample?.workflowId ?? "", error: error?.message ?? "" },
      MAX_BULK_TASKS,
    )
      .then(onSelect)
      .catch((problem: unknown) => showToast(messageOf(problem)));
  const count = `${formatCount(ids.length)} ${ids.length === 1 ? "run" : "runs"}`;
  return (
    <div className="selection-bar" role="region" aria-label="Selected runs">
      <b className="nowrap">{formatCount(ids.length)} selected</b>
      <ConfirmButton
        className="btn"
        question={`Rerun ${count}?`}
        consequence="Failed runs continue at their failed step with the live version. Other ended runs start again as new runs."
        confirm="Rerun"
        may="changeTasks"
        onConfirm={() => change.mutateAsync({ action: "rerun", ids: [...ids], version: "current" })}
      >
        <RotateCcw size={14} /> Rerun with live version
      </ConfirmButton>
      {tasks.some(({ status }) => !isFinal(status)) && (
        <ConfirmButton
          className="btn danger"
          question={`Cancel ${count}?`}
          consequence="Steps that are running are stopped. Results so far are kept. A canceled run cannot be continued."
          confirm="Cancel runs"
          may="changeTasks"
          onConfirm={() => change.mutateAsync({ action: "cancel", ids: [...ids] })}
        >
          <Ban size={14} /> Cancel
        </ConfirmButton>
      )}
      <button
        type="button"
        className="btn"
        title="Select two runs of the same workflow"
        disabled={!canCompare}
        onClick={() => navigate(`/runs/compare?a=${older}&b=${newer}`)}
      >
        <GitCompare size={14} /> Compare
      </button>
      {error !== null && (
        <button type="button" className="btn ghost" onClick={selectSame}>
          Select all with this error
        </button>
      )}
      <button
        type="button"
        className="btn ghost icon"
        aria-label="Clear selection"
        onClick={() => onSelect([])}
      >
        <X size={15} />
      </button>
    </div>
  );
}
