import { useState } from "react";
import { useErrorWorkflow, useSetErrorWorkflow } from "../../api/error-workflow.ts";
import { Failure } from "../../ui/states.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { WorkflowSelect } from "../workflows/workflow-select.tsx";
import { ReadOnlyUnless } from "../../ui/allowed.tsx";

/** The error workflow of the account. It is shown once it is known, so that saving cannot clear it by mistake. */
export function ErrorWorkflowForm() {
  const { data: saved, error } = useErrorWorkflow();
  const [chosen, setChosen] = useState<string>();
  const save = useSetErrorWorkflow(() => showToast("Error workflow saved."));
  if (error !== null) return <Failure error={error} />;
  const value = chosen ?? saved ?? "";
  return (
    <form
      className="card pad stack"
      aria-label="Error workflow"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(value === "" ? null : value);
      }}
    >
      <ReadOnlyUnless may="setErrorWorkflow">
        {" "}
        <WorkflowSelect
          label="Error workflow"
          emptyOption="None"
          value={value}
          onChange={setChosen}
          hint="Runs when a run fails, with the failed run as input, unless the workflow has its own."
        />
        {save.error !== null && <Failure error={save.error} />}
        <div className="actions">
          <button
            type="submit"
            className="btn go"
            disabled={saved === undefined || save.isPending || value === (saved ?? "")}
          >
            Save
          </button>
        </div>
      </ReadOnlyUnless>{" "}
    </form>
  );
}
