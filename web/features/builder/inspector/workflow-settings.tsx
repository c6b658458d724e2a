import { Download, FastForward } from "lucide-react";
import { Link } from "wouter";
import { messageOf } from "../../../api/api-error.ts";
import type { Workflow } from "../../../api/types.ts";
import { exportWorkflow } from "../../../api/workflows.ts";
import type { Draft } from "../../../flow/draft.ts";
import { TextField } from "../../../ui/field.tsx";
import { CANVAS_SHORTCUTS, ShortcutList, PAGE_SHORTCUTS } from "../../../ui/shortcut-list.tsx";
import { showToast } from "../../../ui/toasts.tsx";
import { AvailableIn } from "../../clients/available-in.tsx";
import type { Edit } from "../use-draft.ts";
import { Allowed, ReadOnlyUnless } from "../../../ui/allowed.tsx";

interface WorkflowSettingsProps {
  draft: Draft;
  edit: Edit;
  selectedCount: number;
  workflow: Workflow;
  onRunSelected: () => void;
}

/** Shown while no step and no edge is selected, or several steps are. */
export function WorkflowSettings({
  draft,
  edit,
  selectedCount,
  workflow,
  onRunSelected,
}: WorkflowSettingsProps) {
  return (
    <div className="stack">
      {selectedCount > 1 && (
        <div className="notice">
          <span className="grow">{selectedCount} steps selected</span>
          <Allowed to="runWorkflowSteps">
            <button type="button" className="btn tiny" onClick={onRunSelected}>
              <FastForward size={13} /> Run selected steps
            </button>
          </Allowed>
        </div>
      )}
      <div>
        <div className="caps">Workflow</div>
        <h2>{draft.name}</h2>
      </div>
      <ReadOnlyUnless may="saveDraft">
        {" "}
        <div data-field="workflow-name">
          <TextField
            label="Name"
            value={draft.name}
            onChange={(name) => edit((now) => ({ ...now, name: name === "" ? now.name : name }), "name")}
          />
        </div>
        <TextField
          label="Description"
          rows={3}
          value={draft.description}
          onChange={(description) => edit((now) => ({ ...now, description }), "description")}
        />
      </ReadOnlyUnless>{" "}
      <div className="row wrap">
        <button
          type="button"
          className="btn tiny"
          onClick={() =>
            void exportWorkflow(workflow.id, draft.name).catch((error: unknown) =>
              showToast(messageOf(error)),
            )
          }
        >
          <Download size={13} /> Export
        </button>
        <Link className="btn tiny" href={`/runs?workflowId=${workflow.id}`}>
          All runs
        </Link>
      </div>
      {workflow.published !== false && <AvailableIn workflowId={workflow.id} />}
      <div className="stack tight">
        <div className="caps">Shortcuts</div>
        <ShortcutList shortcuts={[...CANVAS_SHORTCUTS, ...PAGE_SHORTCUTS]} />
      </div>
    </div>
  );
}
