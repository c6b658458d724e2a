import { Ban, RefreshCw, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { messageOf } from "../../api/api-error.ts";
import { cancelTask, isFinal, replay, rerunFromFailed, useTaskMutation } from "../../api/tasks.ts";
import type { Task, TaskStatus } from "../../api/types.ts";
import { say } from "../../ui/toasts.tsx";
import { RunDialog } from "../builder/run/run-dialog.tsx";

/** What can be done to a whole run, by what state it is in. */
export function RunActions({ task, status }: { task: Task; status: TaskStatus }) {
  const [, go] = useLocation();
  const [editing, setEditing] = useState(false);
  const failed = (error: unknown): void => say(messageOf(error));
  const cancel = useTaskMutation(
    () => cancelTask(task.id),
    () => say("Cancelled."),
  );
  const rerun = useTaskMutation(
    () => rerunFromFailed(task.id),
    (step) => say(`Going on at ${step}; what succeeded is kept.`),
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
          <RefreshCw size={14} /> Rerun from the failed step
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
