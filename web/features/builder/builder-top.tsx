import { useLocation } from "wouter";
import { Segments } from "../../ui/segments.tsx";
import { PublishMenu } from "./publish/publish-menu.tsx";
import { VersionBadge } from "./publish/version-badge.tsx";
import { RunButton } from "./run/run-button.tsx";
import type { BuilderState } from "./use-builder.ts";
import { WorkflowMenu } from "./workflow-menu.tsx";
import { neededRole } from "../../api/permissions.ts";
import { Allowed } from "../../ui/allowed.tsx";

/** Next to the name: the menu of the workflow, what is live and what is saved. */
export function BuilderTitle({ builder }: { builder: BuilderState }) {
  return (
    <>
      <WorkflowMenu builder={builder} />
      <VersionBadge builder={builder} />
    </>
  );
}

export function BuilderViews({ builder }: { builder: BuilderState }) {
  const [, navigate] = useLocation();
  return (
    <div className="builder-views">
      <Segments
        label="View"
        value={builder.panel === "versions" ? "versions" : "editor"}
        onChange={(view) => {
          if (view === "runs") navigate(`/runs?workflowId=${builder.workflow.id}`);
          else {
            builder.compare(undefined);
            builder.openPanel(view === "versions" ? "versions" : undefined);
          }
        }}
        options={[
          { value: "editor", label: "Editor" },
          { value: "runs", label: "Runs" },
          { value: "versions", label: "Versions" },
        ]}
      />
    </div>
  );
}

export function BuilderActions({ builder }: { builder: BuilderState }) {
  return (
    <>
      {builder.history.isReadOnly && (
        <span className="chip" title={neededRole("saveDraft")}>
          View only
        </span>
      )}
      <Allowed to="runWorkflow">
        <RunButton builder={builder} />
      </Allowed>
      <Allowed to="publishDraft">
        <PublishMenu builder={builder} />
      </Allowed>
    </>
  );
}
