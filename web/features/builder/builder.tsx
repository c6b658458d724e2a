import { ReactFlowProvider } from "@xyflow/react";
import { Suspense } from "react";
import { Link } from "wouter";
import type { WorkflowDraft } from "../../api/drafts.ts";
import type { Workflow } from "../../api/types.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { RightClickMenu } from "../../ui/right-click-menu.tsx";
import { Screen } from "../../ui/screen.tsx";
import { isFinal } from "../../api/tasks.ts";
import { noProgress } from "../canvas/flow-elements.ts";
import { RunItemsContext, useItemProgress } from "../canvas/run-items.ts";
import { BuilderDialogs } from "./builder-dialogs.tsx";
import { BuilderActions, BuilderTitle, BuilderViews } from "./builder-top.tsx";
import "./builder.css";
import { CanvasTools } from "./canvas/canvas-tools.tsx";
import { EmptyCanvas } from "./canvas/empty-canvas.tsx";
import { EditableCanvas } from "./canvas/editable-canvas.tsx";
import { OpenPicker } from "./canvas/open-picker.tsx";
import { useCanvasActionsOf } from "./canvas/use-canvas-actions.ts";
import { useViewCommands } from "./canvas/use-view-commands.ts";
import { Dock, OpenRun } from "./dock.tsx";
import { focusField } from "./panel-focus.ts";
import { type BuilderState, type Comparison, useBuilder } from "./use-builder.ts";
import { usePreload } from "./use-preload.ts";

/** The canvas is usable before these are loaded. */
const CanvasMenu = lazyComponent(() => import("./canvas/canvas-menu.tsx"), "CanvasMenu");
const Inspector = lazyComponent(() => import("./inspector/inspector.tsx"), "Inspector");
const TriggerPanel = lazyComponent(() => import("./triggers/trigger-panel.tsx"), "TriggerPanel");
const DiffCanvas = lazyComponent(() => import("./history/diff-canvas.tsx"), "DiffCanvas");
const VersionsPanel = lazyComponent(() => import("./history/versions-panel.tsx"), "VersionsPanel");

interface BuilderProps {
  workflow: Workflow;
  serverDraft: WorkflowDraft | null;
}

export function Builder({ workflow, serverDraft }: BuilderProps) {
  const builder = useBuilder(workflow, serverDraft);
  usePreload();
  return (
    <Screen
      title={builder.history.draft.name}
      {...(builder.history.isReadOnly
        ? {}
        : {
            onRename: () => {
              builder.openPanel("settings");
              focusField("workflow-name");
            },
          })}
      breadcrumbs={
        <>
          <Link href="/workflows">Workflows</Link> /
        </>
      }
      titleInfo={<BuilderTitle builder={builder} />}
      center={<BuilderViews builder={builder} />}
      actions={<BuilderActions builder={builder} />}
    >
      <ReactFlowProvider>
        <Workspace builder={builder} />
      </ReactFlowProvider>
      <BuilderDialogs builder={builder} />
    </Screen>
  );
}

/** Width of the floating panel with its margin, as in builder.css. */
const PANEL_SPACE = 400;

/** The canvas over the full area, with tools and the panel floating on it, and the dock below. */
function Workspace({ builder }: { builder: BuilderState }) {
  const { history, selection, setSelection, live, known, pinning, commands, panel } = builder;
  const { draft, edit } = history;
  const { progress, items } = useItemProgress(
    live.progress?.steps ?? noProgress,
    live.task?.id,
    live.task !== undefined && !isFinal(live.task.status),
  );
  const actions = useCanvasActionsOf(builder);
  const view = useViewCommands(builder);
  const isStepPanelOpen = selection.stepIds.size > 0 || selection.edge !== undefined || panel === "settings";
  const isPanelOpen = isStepPanelOpen || selection.trigger !== undefined;
  if (builder.comparison !== undefined)
    return <ComparisonWorkspace builder={builder} comparison={builder.comparison} />;
  return (
    <div className="workspace">
      <div className="canvas-area">
        <RightClickMenu menu={(open) => <CanvasMenu builder={builder} onAddNote={view.addNote} {...open} />}>
          <div className="canvas-fill">
            <RunItemsContext value={items}>
              <EditableCanvas
                draft={draft}
                edit={edit}
                triggers={builder.triggers}
                progress={progress}
                outputs={known.outputs}
                pins={pinning.pins}
                problems={builder.validation.errors}
                selection={selection}
                onSelect={setSelection}
                actions={actions}
                search={{
                  open: panel === "find",
                  setOpen: (open) => builder.openPanel(open ? "find" : undefined),
                }}
                coveredRight={isPanelOpen ? PANEL_SPACE : 0}
              />
            </RunItemsContext>
          </div>
        </RightClickMenu>
        <CanvasTools builder={builder} onAddNote={view.addNote} />
        <OpenPicker builder={builder} />
        {draft.steps.length === 0 && !history.isReadOnly && <EmptyCanvas builder={builder} />}
        {selection.trigger !== undefined && !isStepPanelOpen && (
          <Suspense>
            <TriggerPanel builder={builder} trigger={selection.trigger} />
          </Suspense>
        )}
        {panel === "versions" && (
          <Suspense>
            <VersionsPanel builder={builder} />
          </Suspense>
        )}
        {isStepPanelOpen && (
          <Suspense fallback={null}>
            <Inspector
              workflow={builder.workflow}
              draft={draft}
              edit={edit}
              selection={selection}
              onSelect={setSelection}
              onClose={builder.closeInspector}
              problems={builder.validation.errors}
              known={known}
              pinning={pinning}
              onRenamed={builder.onRenamed}
              live={progress}
              liveRunId={live.task?.id}
              tab={builder.tab}
              onTab={builder.setTab}
              commands={commands}
            />
          </Suspense>
        )}
      </div>
      <OpenRun builder={builder} />
      <Dock builder={builder} />
    </div>
  );
}

interface ComparisonWorkspaceProps {
  builder: BuilderState;
  comparison: Comparison;
}

function ComparisonWorkspace({ builder, comparison }: ComparisonWorkspaceProps) {
  return (
    <div className="workspace">
      <div className="canvas-area">
        <Suspense>
          <DiffCanvas comparison={comparison} builder={builder} />
          {builder.panel === "versions" && <VersionsPanel builder={builder} />}
        </Suspense>
      </div>
      <Dock builder={builder} />
    </div>
  );
}
