import { Copy, Download } from "lucide-react";
import { messageOf } from "../../api/api-error.ts";
import type { WorkflowHead } from "../../api/types.ts";
import { cloneWorkflow, deleteWorkflow, exportWorkflow, useWorkflowMutation } from "../../api/workflows.ts";
import { DeleteButton } from "../../ui/row-actions.tsx";
import { showToast } from "../../ui/toasts.tsx";

export function WorkflowMenu({ workflow }: { workflow: WorkflowHead }) {
  const { id, name } = workflow;
  const clone = useWorkflowMutation(
    () => cloneWorkflow(id),
    () => showToast(`“${name}” duplicated.`),
  );
  const remove = useWorkflowMutation(() => deleteWorkflow(id));
  return (
    <>
      <button
        type="button"
        className="btn ghost icon wide-only"
        aria-label={`Duplicate ${name}`}
        title="Duplicate"
        onClick={() => clone.mutate(undefined)}
      >
        <Copy size={15} />
      </button>
      <button
        type="button"
        className="btn ghost icon wide-only"
        aria-label={`Export ${name}`}
        title="Export"
        onClick={() => void exportWorkflow(id, name).catch((error: unknown) => showToast(messageOf(error)))}
      >
        <Download size={15} />
      </button>
      <DeleteButton
        label={`Delete ${name}`}
        question={`Delete “${name}”?`}
        consequence="The workflow and its version history are deleted permanently. Finished runs are kept."
        onConfirm={() => remove.mutateAsync(undefined)}
      />
    </>
  );
}
