import { useState } from "react";
import type { Problem } from "../../../../contract/graph.ts";
import type { Workflow } from "../../../api/types.ts";
import type { Draft } from "../../../flow/draft.ts";
import type { KnownResults } from "../../../flow/known-results.ts";
import { type PickableValue, pickableValues } from "../../../flow/values.ts";
import type { Progress } from "../../canvas/flow-elements.ts";
import { EdgeInspector } from "./edge-inspector.tsx";
import { emptySelection, selectStep, type Selection } from "../../../flow/selection.ts";
import { StepInspector, type StepTab } from "./step-inspector.tsx";
import { StepTitles, useTitles } from "../placeholders/step-titles.ts";
import { useSuggestions } from "./suggestions.ts";
import type { useGraphCommands } from "../canvas/use-graph-commands.ts";
import type { Edit } from "../use-draft.ts";
import type { Pinning } from "../run/use-pins.ts";
import type { useRunCommands } from "../run/use-run-commands.ts";
import { ValuePicker } from "../placeholders/value-picker.tsx";
import { WorkflowSettings } from "./workflow-settings.tsx";

interface InspectorProps {
  workflow: Workflow;
  draft: Draft;
  edit: Edit;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  problems: readonly Problem[];
  known: KnownResults;
  pinning: Pinning;
  /** The run that was started here, while it goes on. */
  live: Progress;
  tab: StepTab;
  onTab: (tab: StepTab) => void;
  commands: Pick<ReturnType<typeof useGraphCommands>, "remove" | "copy" | "duplicate"> &
    Pick<ReturnType<typeof useRunCommands>, "runSelected" | "runFrom">;
}

interface Picking {
  insert: (placeholder: string) => void;
  inside: readonly PickableValue[];
}

/** What stands beside the canvas: the chosen step, the chosen line, or the workflow itself. */
export function Inspector({
  workflow,
  draft,
  edit,
  selection,
  onSelect,
  problems,
  known,
  pinning,
  live,
  tab,
  onTab,
  commands,
}: InspectorProps) {
  const [picking, setPicking] = useState<Picking>();
  const suggestions = useSuggestions(workflow.id);
  const titles = useTitles(draft.steps);
  const stepId = selection.stepIds.size === 1 ? [...selection.stepIds][0] : undefined;
  const step = draft.steps.find((entry) => entry.stepId === stepId);
  const lastRun = known.hasRun || known.outputs.size > 0 ? known : undefined;
  return (
    <StepTitles value={titles}>
      <aside
        className={`inspector${step === undefined && selection.edge === undefined ? " idle" : ""}`}
        aria-label="Inspector"
      >
        {step !== undefined ? (
          <StepInspector
            key={draft.steps.indexOf(step)}
            draft={draft}
            step={step}
            edit={edit}
            problems={problems}
            lastResult={known.results.get(step.stepId)}
            pinning={pinning}
            live={live.get(step.stepId)}
            tab={tab}
            onTab={onTab}
            suggestions={suggestions}
            onPick={(insert, inside = []) => setPicking({ insert, inside })}
            onOpenEdge={(edge) => onSelect({ stepIds: new Set(), edge })}
            onRemove={commands.remove}
            onCopy={commands.copy}
            onDuplicate={commands.duplicate}
            onRunThis={commands.runSelected}
            onRunFrom={() => commands.runFrom(step.stepId)}
            onRenamed={(id) => onSelect(selectStep(id))}
          />
        ) : selection.edge !== undefined ? (
          <EdgeInspector
            draft={draft}
            edgeId={selection.edge}
            edit={edit}
            onGone={() => onSelect(emptySelection)}
          />
        ) : (
          <WorkflowSettings
            draft={draft}
            edit={edit}
            selected={selection.stepIds.size}
            onRunThese={commands.runSelected}
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
