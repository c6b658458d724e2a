import { Network, Plus, Redo2, Search, StickyNote, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { modifier } from "../../../ui/shortcuts.ts";
import { AddTriggerMenu } from "../triggers/add-trigger.tsx";
import type { BuilderState } from "../use-builder.ts";

/** The tools that float at the left of the canvas. */
export function CanvasTools({ builder, onAddNote }: { builder: BuilderState; onAddNote: () => void }) {
  const { history, commands, openPanel } = builder;
  return (
    <div className="float canvas-tools" role="toolbar" aria-label="Canvas tools" aria-orientation="vertical">
      {!history.isReadOnly && (
        <>
          <button
            type="button"
            className="btn go icon"
            aria-label="Add step"
            title="Add step (/)"
            onClick={() => commands.openPicker()}
          >
            <Plus size={16} />
          </button>
          <AddTriggerMenu builder={builder} />
          <Tool label="Add note" shortcut="N" onClick={onAddNote}>
            <StickyNote size={16} />
          </Tool>
        </>
      )}
      <Tool label="Find step" shortcut={`${modifier}F`} onClick={() => openPanel("find")}>
        <Search size={16} />
      </Tool>
      {!history.isReadOnly && (
        <>
          <Tool label="Undo" shortcut={`${modifier}Z`} disabled={!history.canUndo} onClick={history.undo}>
            <Undo2 size={16} />
          </Tool>
          <Tool label="Redo" shortcut={`⇧${modifier}Z`} disabled={!history.canRedo} onClick={history.redo}>
            <Redo2 size={16} />
          </Tool>
          <Tool label="Tidy up" shortcut="⇧T" onClick={commands.arrange}>
            <Network size={16} />
          </Tool>
        </>
      )}
    </div>
  );
}

interface ToolProps {
  label: string;
  shortcut?: string;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Tool({ label, shortcut, disabled = false, onClick, children }: ToolProps) {
  return (
    <button
      type="button"
      className="btn ghost icon"
      aria-label={label}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
