import { Copy, Download } from "lucide-react";
import { messageOf } from "../../api/api-error.ts";
import type { WorkflowHead } from "../../api/types.ts";
import { cloneWorkflow, deleteWorkflow, exportWorkflow, useWorkflowMutation } from "../../api/workflows.ts";
import { DeleteButton } from "../../ui/delete-button.tsx";
import { say } from "../../ui/toasts.tsx";

export function WorkflowMenu({ workflow }: { workflow: WorkflowHead }) {
  const { id, name } = workflow;
  const clone = useWorkflowMutation(
    () => cloneWorkflow(id),
    () => say(`“${name}” was copied.`),
  );
  const remove = useWorkflowMutation(() => deleteWorkflow(id));
  return (
    <>
      <button
        type="button"
        className="btn ghost icon wide-only"
        aria-label={`Copy ${name}`}
        title="Copy"
        onClick={() => clone.mutate(undefined)}
      >
        <Copy size={15} />
      </button>
      <button
        type="button"
        className="btn ghost icon wide-only"
        aria-label={`Export ${name}`}
        title="Export"
        onClick={() => void exportWorkflow(id, name).catch((error: unknown) => say(messageOf(error)))}
      >
        <Download size={15} />
      </button>
      <DeleteButton
        label={`Delete ${name}`}
        question={`Delete “${name}”?`}
        consequence="The workflow and its history go for good. Runs that have ended stay in the list of runs."
        act={() => remove.mutateAsync(undefined)}
      />
    </>
  );
}
