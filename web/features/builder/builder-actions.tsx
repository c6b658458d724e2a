import { History, LayoutGrid, Play, Plus, Plug, Redo2, Undo2 } from "lucide-react";
import { Link } from "wouter";
import type { Workflow } from "../../api/types.ts";
import { modifier } from "../../ui/shortcuts.ts";
import type { SaveState } from "./use-autosave.ts";
import type { useDraft } from "./use-draft.ts";

/** The saved version and the state of the draft; an unsaved draft is a button that retries. */
export function SaveStatus({
  state,
  version,
  onRetry,
}: {
  state: SaveState;
  version: number;
  onRetry: () => void;
}) {
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

interface BuilderActionsProps {
  workflow: Workflow;
  history: ReturnType<typeof useDraft>;
  canRun: boolean;
  onHistory: () => void;
  onRun: () => void;
  onAdd: () => void;
  onAutoLayout: () => void;
}

export function BuilderActions({
  workflow,
  history,
  canRun,
  onHistory,
  onRun,
  onAdd,
  onAutoLayout,
}: BuilderActionsProps) {
  return (
    <>
      <button type="button" className="btn ghost icon narrow-only" aria-label="Add step" onClick={onAdd}>
        <Plus size={16} />
      </button>
      <button
        type="button"
        className="btn ghost icon wide-only"
        aria-label="Undo"
        title={`Undo (${modifier}Z)`}
        disabled={!history.canUndo}
        onClick={history.undo}
      >
        <Undo2 size={16} />
      </button>
      <button
        type="button"
        className="btn ghost icon wide-only"
        aria-label="Redo"
        title={`Redo (Shift ${modifier}Z)`}
        disabled={!history.canRedo}
        onClick={history.redo}
      >
        <Redo2 size={16} />
      </button>
      <button
        type="button"
        className="btn ghost icon wide-only"
        aria-label="Auto layout"
        title="Auto layout"
        onClick={onAutoLayout}
      >
        <LayoutGrid size={16} />
      </button>
      <button
        type="button"
        className="btn ghost icon"
        aria-label="History"
        title="Version history"
        onClick={onHistory}
      >
        <History size={16} />
      </button>
      <Link href={`/endpoints?workflow=${workflow.id}`} className="btn wide-only">
        <Plug size={15} /> {workflow.apiSettings.enabled ? "Endpoint" : "Publish"}
      </Link>
      <button
        type="button"
        className="btn go"
        disabled={!canRun}
        onClick={onRun}
        title={canRun ? `Run (${modifier}Enter)` : "Fix the problems first"}
      >
        <Play size={14} /> Run
      </button>
    </>
  );
}
