import { useState } from "react";
import type { WorkflowHead } from "../../../api/types.ts";
import { saveWorkflow, useWorkflowMutation } from "../../../api/workflows.ts";
import { messageOf } from "../../../api/api-error.ts";
import { TextField } from "../../../ui/field.tsx";

/** The last part of the URL of the endpoint and of the form. */
export function EndpointName({ workflow }: { workflow: WorkflowHead }) {
  const saved = workflow.apiSettings.endpointName ?? "";
  const [name, setName] = useState(saved);
  const save = useWorkflowMutation(() => saveWorkflow(workflow.id, { apiSettings: { endpointName: name } }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined);
      }}
    >
      <TextField
        label="Name in URL"
        mono
        value={name}
        onChange={setName}
        error={save.error === null ? undefined : messageOf(save.error)}
        hint="Letters, digits, - and _. Without a name, the URL has the workflow id."
      />
      {name !== saved && (
        <div className="actions">
          <button type="submit" className="btn" disabled={save.isPending}>
            Save name
          </button>
        </div>
      )}
    </form>
  );
}
