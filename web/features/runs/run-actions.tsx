import { Ban, RefreshCw, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { messageOf } from "../../api/api-error.ts";
import { cancelTask, isFinal, replay, rerunFromFailed, useTaskMutation } from "../../api/tasks.ts";
import type { Task, TaskStatus } from "../../api/types.ts";
import { showToast } from "../../ui/toasts.tsx";
import { RunDialog } from "../builder/run/run-dialog.tsx";

/** The actions on a run that its status allows. */
export function RunActions({ task, status }: { task: Task; status: TaskStatus }) {
  const [, go] = useLocation();
  const [editing, setEditing] = useState(false);
  const failed = (error: unknown): void => showToast(messageOf(error));
  const cancel = useTaskMutation(
    () => cancelTask(task.id),
    () => showToast("Run cancelled."),
  );
  const rerun = useTaskMutation(
    () => rerunFromFailed(task.id),
    (step) => showToast(`Rerunning from ${step}. Completed steps are kept.`),
  );
  const again = useTaskMutation(
    (input: unknown) => replay(task.id, { input }),
    (taskId) => go(`/runs/${taskId}`),
  );
  return (
    <>
      {!isFinal(status) && (
        <button
          type="button"
          className="btn danger"
          disabled={cancel.isPending}
          onClick={() => cancel.mutate(undefined, { onError: failed })}
        >
          <Ban size={14} /> Cancel
        </button>
      )}
      {status === "failed" && (
        <button
          type="button"
          className="btn go"
          disabled={rerun.isPending}
          onClick={() => rerun.mutate(undefined, { onError: failed })}
        >
          <RefreshCw size={14} /> Rerun from failed step
        </button>
      )}
      {isFinal(status) && (
        <button type="button" className="btn" onClick={() => setEditing(true)}>
          <RotateCcw size={14} /> Replay
        </button>
      )}
      {editing && (
        <RunDialog
          workflowId={`replay.${task.id}`}
          lastInput={task.input}
          title="Replay with this input"
          onRun={(input) => again.mutate(input, { onError: failed })}
          onClose={() => setEditing(false)}
        />
      )}
    </>
  );
}
