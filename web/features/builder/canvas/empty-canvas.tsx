import { LayoutTemplate, Plus, Sparkles } from "lucide-react";
import type { Graph } from "../../../api/types.ts";
import { useTemplates } from "../../../api/templates.ts";
import { asCopiedSteps } from "../../../flow/clipboard.ts";
import { LazyMenu } from "../../../ui/lazy-menu.tsx";
import { AddTriggerTiles } from "../triggers/add-trigger.tsx";
import type { BuilderState } from "../use-builder.ts";

/** What starts it, then what it does. The tiles go once something is chosen: the canvas shows the trigger and its `+`. */
export function EmptyCanvas({ builder }: { builder: BuilderState }) {
  const { commands, selection, triggers } = builder;
  const templates = useTemplates().data ?? [];
  if (selection.trigger !== undefined || triggers.some(({ kind }) => kind !== "manual")) return null;
  return (
    <div className="canvas-empty card">
      <b>Choose a trigger</b>
      <AddTriggerTiles builder={builder} />
      <span className="small muted">
        Or begin with a step
        <span className="wide-only">
          : press <kbd>/</kbd> to search
        </span>
        .
      </span>
      <div className="row wrap">
        <button type="button" className="btn go" onClick={() => commands.openPicker()}>
          <Plus size={14} aria-hidden /> Add step
        </button>
        <button type="button" className="btn" onClick={() => commands.describe("")}>
          <Sparkles size={14} aria-hidden /> Describe it
        </button>
        <LazyMenu
          align="start"
          trigger={
            <button type="button" className="btn" disabled={templates.length === 0}>
              <LayoutTemplate size={14} aria-hidden /> Start from a template
            </button>
          }
          groups={[
            templates.map(({ name, steps, edges }) => ({
              label: name,
              onSelect: () => commands.paste(asCopiedSteps({ steps, edges } as Graph)),
            })),
          ]}
        />
      </div>
    </div>
  );
}
