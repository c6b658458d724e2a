import { Download, Ellipsis, LayoutGrid, Pencil, Play, Plug, Redo2, Undo2 } from "lucide-react";
import { Link, useLocation } from "wouter";
import { messageOf } from "../../api/api-error.ts";
import { exportWorkflow } from "../../api/workflows.ts";
import { Menu } from "../../ui/menu.tsx";
import { Segments } from "../../ui/segments.tsx";
import { modifier } from "../../ui/shortcuts.ts";
import { showToast } from "../../ui/toasts.tsx";
import type { SaveState } from "./use-autosave.ts";
import type { BuilderState } from "./use-builder.ts";

/** Next to the name: the menu of the workflow, and what is saved. */
export function BuilderTitle({ builder }: { builder: BuilderState }) {
  const { autosave } = builder;
  return (
    <>
      <WorkflowMenu builder={builder} />
      <SaveStatus state={autosave.state} version={autosave.version} onRetry={() => void autosave.save()} />
      <Views builder={builder} />
    </>
  );
}

function WorkflowMenu({ builder }: { builder: BuilderState }) {
  const { workflow, history, commands, openPanel } = builder;
  const [, navigate] = useLocation();
  const exportFile = (): void =>
    void exportWorkflow(workflow.id, history.draft.name).catch((error: unknown) =>
      showToast(messageOf(error)),
    );
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="btn ghost icon" aria-label="Workflow menu">
          <Ellipsis size={16} />
        </button>
      }
      groups={[
        [
          { label: "Name and description", icon: <Pencil />, onSelect: () => openPanel("settings") },
          {
            label: "Undo",
            icon: <Undo2 />,
            shortcut: `${modifier}Z`,
            disabled: !history.canUndo,
            onSelect: history.undo,
          },
          {
            label: "Redo",
            icon: <Redo2 />,
            shortcut: `⇧${modifier}Z`,
            disabled: !history.canRedo,
            onSelect: history.redo,
          },
          { label: "Tidy up", icon: <LayoutGrid />, onSelect: commands.arrange },
        ],
        [
          {
            label: "Endpoint",
            icon: <Plug />,
            onSelect: () => navigate(`/endpoints?workflow=${workflow.id}`),
          },
          { label: "Export", icon: <Download />, onSelect: exportFile },
        ],
      ]}
    />
  );
}

/** The saved version and the state of the draft; an unsaved draft is a button that retries. */
function SaveStatus({ state, version, onRetry }: { state: SaveState; version: number; onRetry: () => void }) {
  if (state.kind === "unsaved")
    return (
      <button
        type="button"
        className="chip wait dot save-note"
        title={`${state.reason} Click to retry.`}
        onClick={onRetry}
      >
        Unsaved draft
      </button>
    );
  const label = { saved: "saved", dirty: "editing", saving: "saving" }[state.kind];
  return (
    <span className="muted small save-note" role="status">
      v{version} · {label}
    </span>
  );
}

function Views({ builder }: { builder: BuilderState }) {
  const [, navigate] = useLocation();
  return (
    <div className="builder-views">
      <Segments
        label="View"
        value={builder.panel === "versions" ? "versions" : "editor"}
        onChange={(view) => {
          if (view === "runs") navigate(`/runs?workflowId=${builder.workflow.id}`);
          else builder.openPanel(view === "versions" ? "versions" : undefined);
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
  const { workflow, validation, openPanel } = builder;
  return (
    <>
      <button
        type="button"
        className="btn"
        disabled={!validation.valid}
        onClick={() => openPanel("run")}
        title={validation.valid ? `Run (${modifier}Enter)` : "Fix the problems first"}
      >
        <Play size={14} /> Run
      </button>
      <Link href={`/endpoints?workflow=${workflow.id}`} className="btn go">
        {workflow.apiSettings.enabled ? "Endpoint" : "Publish"}
      </Link>
    </>
  );
}
