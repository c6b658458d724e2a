import { Ban, Ellipsis, GitCompare, Link2, Terminal, Workflow as WorkflowIcon } from "lucide-react";
import { useLocation } from "wouter";
import { messageOf } from "../../api/api-error.ts";
import { cancelTask, isFinal, useRecentTasks, useTaskMutation } from "../../api/tasks.ts";
import type { Task, TaskStatus } from "../../api/types.ts";
import { curlOf } from "../../flow/run-request.ts";
import { copyText } from "../../ui/clipboard.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toasts.tsx";

interface RunActionsProps {
  task: Task;
  status: TaskStatus;
  isWorkflowMissing: boolean;
}

/** Everything but the rerun: copy, compare, cancel. */
export function RunActions({ task, status, isWorkflowMissing }: RunActionsProps) {
  const [, navigate] = useLocation();
  const cancel = useTaskMutation(
    () => cancelTask(task.id),
    () => showToast("Run canceled."),
  );
  const other = useOtherRun(task);
  const copy = (text: string, done: string): void =>
    void copyText(text)
      .then(() => showToast(done))
      .catch((error: unknown) => showToast(messageOf(error)));
  const copyLink = (): void => copy(location.href, "Link copied. It opens this tab and step.");
  return (
    <>
      <button type="button" className="btn ghost wide-only" onClick={copyLink}>
        <Link2 size={14} /> Copy link
      </button>
      <Menu
        trigger={
          <button type="button" className="btn ghost icon" aria-label="Run menu">
            <Ellipsis size={16} />
          </button>
        }
        groups={[
          [
            { label: "Copy link", icon: <Link2 />, onSelect: copyLink },
            {
              label: "Copy as curl",
              icon: <Terminal />,
              onSelect: () => copy(curlOf(task, location.origin), "Command copied."),
            },
          ],
          [
            {
              label: "Compare",
              icon: <GitCompare />,
              disabled: other === undefined,
              onSelect: () => navigate(`/runs/compare?a=${other}&b=${task.id}`),
            },
            {
              label: "Open workflow",
              icon: <WorkflowIcon />,
              disabled: isWorkflowMissing,
              onSelect: () => navigate(`/workflows/${task.workflowId}`),
            },
          ],
        ]}
      />
      {!isFinal(status) && (
        <ConfirmButton
          className="btn danger"
          question="Cancel this run?"
          consequence="Steps that are running are stopped. Results so far are kept. A canceled run cannot be continued."
          confirm="Cancel run"
          may="cancelTask"
          onConfirm={() => cancel.mutateAsync(undefined)}
        >
          <Ban size={14} /> Cancel run
        </ConfirmButton>
      )}
    </>
  );
}

/** The run that this one repeats, else the run of the workflow before it. */
function useOtherRun(task: Task): string | undefined {
  const recent = useRecentTasks({ workflowId: task.workflowId, limit: 20 }).data?.tasks;
  if (task.trigger === "manual" && task.parentTaskId !== undefined) return task.parentTaskId;
  return recent?.find(({ id }) => id < task.id)?.id ?? recent?.find(({ id }) => id !== task.id)?.id;
}
