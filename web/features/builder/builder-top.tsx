import { Ellipsis } from "lucide-react";
import { useLocation } from "wouter";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { LoadOnOpen } from "../../ui/lazy-menu.tsx";
import { Segments } from "../../ui/segments.tsx";
import { PublishMenu } from "./publish/publish-menu.tsx";
import { VersionBadge } from "./publish/version-badge.tsx";
import { RunButton } from "./run/run-button.tsx";
import type { BuilderState } from "./use-builder.ts";
import { neededRole } from "../../api/permissions.ts";
import { Allowed } from "../../ui/allowed.tsx";

const loadMenu = () => import("./workflow-menu.tsx");
const WorkflowMenu = lazyComponent(loadMenu, "WorkflowMenu");

/** Next to the name: the menu of the workflow, what is live and what is saved. */
export function BuilderTitle({ builder }: { builder: BuilderState }) {
  const menuButton = (
    <button type="button" className="btn ghost icon" aria-label="Workflow menu">
      <Ellipsis size={16} />
    </button>
  );
  return (
    <>
      <LoadOnOpen trigger={menuButton} load={loadMenu}>
        <WorkflowMenu trigger={menuButton} builder={builder} />
      </LoadOnOpen>
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
