import { X } from "lucide-react";
import { useState } from "react";
import type { Problem } from "../../../../contract/graph.ts";
import type { Workflow } from "../../../api/types.ts";
import type { Draft } from "../../../flow/draft.ts";
import type { KnownResults } from "../../../flow/known-results.ts";
import { emptySelection, type Selection, selectStep } from "../../../flow/selection.ts";
import { loopsAround, locate, locateEdge, nodeIdIn } from "../../../flow/scopes.ts";
import { loopValues, type PickableValue, pickableValues } from "../../../flow/pickable-values.ts";
import type { Progress } from "../../canvas/flow-elements.ts";
import type { useGraphCommands } from "../canvas/use-graph-commands.ts";
import { StepTitles, useTitles } from "../placeholders/step-titles.ts";
import { ValuePicker } from "../placeholders/value-picker.tsx";
import type { Pinning } from "../run/use-pins.ts";
import type { useRunCommands } from "../run/use-run-commands.ts";
import type { Edit } from "../use-draft.ts";
import { EdgeInspector } from "./edge-inspector.tsx";
import { scopedEdit } from "./scoped-edit.ts";
import { firstItemOf, StepInspector, type StepTab } from "./step-inspector.tsx";
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
  const at = stepId === undefined ? undefined : locate(draft, stepId);
  const step = at?.step;
  const scoped = scopedEdit(draft, edit, at?.scope);
  const loops = stepId === undefined ? [] : loopsAround(draft, stepId);
  const edgeAt = locateEdge(draft, selection.edge ?? "");
  const edgeScope = scopedEdit(draft, edit, edgeAt.scope);
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
            key={`${scoped.scope ?? ""}/${scoped.graph.steps.indexOf(step)}`}
            draft={scoped.graph}
            step={step}
            edit={scoped.edit}
            problems={props.problems}
            lastResult={known.results.get(step.stepId)}
            pinning={props.pinning}
            live={props.live.get(stepId ?? "")}
            tab={props.tab}
            onTab={props.onTab}
            suggestions={suggestions}
            onPick={(insert, inside = []) => setPicking({ insert, inside })}
            onOpenEdge={(edge) => onSelect({ stepIds: new Set(), edge: nodeIdIn(scoped.scope, edge) })}
            onRenamed={(id) => onSelect(selectStep(nodeIdIn(scoped.scope, id)))}
            actions={{
              onRunThis: commands.runSelected,
              onRunFrom: () => commands.runFrom(loops.at(-1)?.loop.stepId ?? step.stepId),
              onCopy: commands.copy,
              onDuplicate: commands.duplicate,
              onDelete: commands.remove,
            }}
          />
        ) : selection.edge !== undefined ? (
          <EdgeInspector
            draft={edgeScope.graph}
            edgeId={edgeAt.key}
            edit={edgeScope.edit}
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
          values={[
            ...picking.inside,
            ...loops.flatMap(({ loop, graph, stepId: id }) =>
              loopValues(graph, id, firstItemOf(known.results.get(loop.stepId))),
            ),
            ...pickableValues(
              draft,
              loops.at(-1)?.loop.stepId ?? step.stepId,
              lastRun,
              suggestions.variables,
            ),
          ]}
          hasRun={known.hasRun}
          onPick={picking.insert}
          onClose={() => setPicking(undefined)}
        />
      )}
    </StepTitles>
  );
}
