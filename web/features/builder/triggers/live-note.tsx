import { saveWorkflow, useWorkflowMutation } from "../../../api/workflows.ts";
import { Failure } from "../../../ui/states.tsx";
import { isPublished } from "../publish/is-published.ts";
import type { BuilderState } from "../use-builder.ts";

/** Says which version the trigger starts: settings of a trigger apply at once, steps and fields after Publish. */
export function LiveNote({ builder }: { builder: BuilderState }) {
  const { workflow } = builder;
  const activate = useWorkflowMutation(() => saveWorkflow(workflow.id, { active: true }));
  return (
    <>
      <p className="small muted live-note">
        {isPublished(workflow) ? (
          <>
            <span className="chip ok dot">Live v{workflow.version}</span>
            <span>
              {workflow.draft === undefined
                ? "Starts the live version."
                : "Starts the live version. Changes apply after Publish."}
            </span>
          </>
        ) : (
          <>
            <span className="chip">Not published</span>
            <span>Starts no step until you publish.</span>
          </>
        )}
      </p>
      {!workflow.active && (
        <div className="notice wait">
          <span className="grow">This workflow is paused: its triggers start nothing.</span>
          <button
            type="button"
            className="btn"
            disabled={activate.isPending}
            onClick={() => activate.mutate(undefined)}
          >
            Activate workflow
          </button>
        </div>
      )}
      {activate.error !== null && <Failure error={activate.error} />}
    </>
  );
}
