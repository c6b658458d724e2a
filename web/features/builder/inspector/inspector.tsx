import { X } from "lucide-react";
import { useState } from "react";
import type { Problem } from "../../../../contract/graph.ts";
import type { Workflow } from "../../../api/types.ts";
import type { Draft } from "../../../flow/draft.ts";
import type { KnownResults } from "../../../flow/known-results.ts";
import { emptySelection, type Selection, selectStep } from "../../../flow/selection.ts";
import { type PickableValue, pickableValues } from "../../../flow/pickable-values.ts";
import type { Progress } from "../../canvas/flow-elements.ts";
import type { useGraphCommands } from "../canvas/use-graph-commands.ts";
import { StepTitles, useTitles } from "../placeholders/step-titles.ts";
import { ValuePicker } from "../placeholders/value-picker.tsx";
import type { Pinning } from "../run/use-pins.ts";
import type { useRunCommands } from "../run/use-run-commands.ts";
import type { Edit } from "../use-draft.ts";
import { EdgeInspector } from "./edge-inspector.tsx";
import { StepInspector, type StepTab } from "./step-inspector.tsx";
import { useSuggestions } from "./suggestions.ts";
import { WorkflowSettings } from "./workflow-settings.tsx";

interface InspectorProps {
  workflow: Workflow;
  draft: Draft;
  edit: Edit;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onClose: () => void;
  problems: readonly Problem[];
  known: KnownResults;
  pinning: Pinning;
  /** Progress of the run started here. */
  live: Progress;
  tab: StepTab;
  onTab: (tab: StepTab) => void;
  commands: Pick<ReturnType<typeof useGraphCommands>, "remove" | "copy" | "duplicate"> &
    Pick<ReturnType<typeof useRunCommands>, "runSelected" | "runFrom">;
}

/** A field that waits for a value from the picker. */
interface PickRequest {
  insert: (placeholder: string) => void;
  inside: readonly PickableValue[];
}

/** The panel on the canvas: the selected step, the selected edge, or the workflow itself. */
export function Inspector(props: InspectorProps) {
  const { workflow, draft, edit, selection, onSelect, known, commands } = props;
  const [picking, setPicking] = useState<PickRequest>();
  const suggestions = useSuggestions(workflow.id);
  const titles = useTitles(draft.steps);
  const stepId = selection.stepIds.size === 1 ? [...selection.stepIds][0] : undefined;
  const step = draft.steps.find((entry) => entry.stepId === stepId);
  const lastRun = known.hasRun || known.outputs.size > 0 ? known : undefined;
  return (
    <StepTitles value={titles}>
      <aside className="float panel inspector" aria-label="Inspector">
        <button
          type="button"
          className="btn ghost icon panel-close"
          aria-label="Close panel"
          title="Close (Esc)"
          onClick={props.onClose}
        >
          <X size={16} />
        </button>
        {step !== undefined ? (
          <StepInspector
            // Keyed by position: keyed by id, renaming the step would reset the form.
            key={draft.steps.indexOf(step)}
            draft={draft}
            step={step}
            edit={edit}
            problems={props.problems}
            lastResult={known.results.get(step.stepId)}
            pinning={props.pinning}
            live={props.live.get(step.stepId)}
            tab={props.tab}
            onTab={props.onTab}
            suggestions={suggestions}
            onPick={(insert, inside = []) => setPicking({ insert, inside })}
            onOpenEdge={(edge) => onSelect({ stepIds: new Set(), edge })}
            onRenamed={(id) => onSelect(selectStep(id))}
            actions={{
              onRunThis: commands.runSelected,
              onRunFrom: () => commands.runFrom(step.stepId),
              onCopy: commands.copy,
              onDuplicate: commands.duplicate,
              onDelete: commands.remove,
            }}
          />
        ) : selection.edge !== undefined ? (
          <EdgeInspector
            draft={draft}
            edgeId={selection.edge}
            edit={edit}
            onDeleted={() => onSelect(emptySelection)}
          />
        ) : (
          <WorkflowSettings
            draft={draft}
            edit={edit}
            selectedCount={selection.stepIds.size}
            onRunSelected={commands.runSelected}
            workflow={workflow}
          />
        )}
      </aside>
      {picking !== undefined && step !== undefined && (
        <ValuePicker
          values={[...picking.inside, ...pickableValues(draft, step.stepId, lastRun, suggestions.variables)]}
          hasRun={known.hasRun}
          onPick={picking.insert}
          onClose={() => setPicking(undefined)}
        />
      )}
    </StepTitles>
  );
}
