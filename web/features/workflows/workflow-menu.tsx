import { Copy, Download, Trash2 } from "lucide-react";
import { useState } from "react";
import { call, messageOf } from "../../api/client.ts";
import type { Workflow } from "../../api/types.ts";
import { exportWorkflow, useWorkflowChange } from "../../api/workflows.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";

export function WorkflowMenu({ workflow }: { workflow: Workflow }) {
  const { id, name } = workflow;
  const [asking, setAsking] = useState(false);
  const clone = useWorkflowChange(
    () => call(`/api/workflows/${id}/clone`, { method: "POST" }),
    () => say(`“${name}” was copied.`),
  );
  const remove = useWorkflowChange(
    () => call(`/api/workflows/${id}`, { method: "DELETE" }),
    () => setAsking(false),
  );
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
      <button
        type="button"
        className="btn ghost icon"
        aria-label={`Delete ${name}`}
        title="Delete"
        onClick={() => setAsking(true)}
      >
        <Trash2 size={15} />
      </button>
      {asking && (
        <Dialog title={`Delete “${name}”?`} onClose={() => setAsking(false)}>
          <p>The workflow and its history go for good. Runs that have ended stay in the list of runs.</p>
          {remove.error !== null && <Failure error={remove.error} />}
          <div className="actions">
            <button type="button" className="btn" onClick={() => setAsking(false)}>
              Keep it
            </button>
            <button
              type="button"
              className="btn danger"
              disabled={remove.isPending}
              onClick={() => remove.mutate(undefined)}
            >
              Delete
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
