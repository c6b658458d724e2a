import { useMemo, useState } from "react";
import type { Problem } from "../../../contract/graph.ts";
import type { Task, Workflow } from "../../api/types.ts";
import type { Draft } from "../../flow/draft.ts";
import { type PickableValue, pickableValues } from "../../flow/values.ts";
import { EdgeInspector } from "./edge-inspector.tsx";
import { nothing, only, type Selection } from "./selection.ts";
import { StepInspector } from "./step-inspector.tsx";
import { StepTitles, useTitles } from "./step-titles.ts";
import { useSuggestions } from "./suggestions.ts";
import type { useBuilderCommands } from "./use-builder-commands.ts";
import type { Edit } from "./use-draft.ts";
import { ValuePicker } from "./value-picker.tsx";
import { WorkflowSettings } from "./workflow-settings.tsx";

interface InspectorProps {
  workflow: Workflow;
  draft: Draft;
  edit: Edit;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  problems: readonly Problem[];
  /** The run that values are shown from: the one under way, else the last one. */
  task: Task | undefined;
  commands: Pick<ReturnType<typeof useBuilderCommands>, "remove" | "copy" | "runSelected">;
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
  task,
  commands,
}: InspectorProps) {
  const [picking, setPicking] = useState<Picking>();
  const suggestions = useSuggestions(workflow.id);
  const titles = useTitles(draft.steps);
  const results = useMemo(
    () => new Map((task?.stepResults ?? []).map((result) => [result.stepId, result])),
    [task],
  );
  const stepId = selection.stepIds.size === 1 ? [...selection.stepIds][0] : undefined;
  const step = draft.steps.find((entry) => entry.stepId === stepId);
  const lastRun = task && {
    input: task.input,
    outputs: new Map([...results].map(([id, { output }]) => [id, output])),
  };
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
            lastResult={results.get(step.stepId)}
            suggestions={suggestions}
            onPick={(insert, inside = []) => setPicking({ insert, inside })}
            onOpenEdge={(edge) => onSelect({ stepIds: new Set(), edge })}
            onRemove={commands.remove}
            onCopy={commands.copy}
            onRunThis={commands.runSelected}
            onRenamed={(id) => onSelect(only(id))}
          />
        ) : selection.edge !== undefined ? (
          <EdgeInspector draft={draft} edgeId={selection.edge} edit={edit} onGone={() => onSelect(nothing)} />
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
          hasRun={task !== undefined}
          onPick={picking.insert}
          onClose={() => setPicking(undefined)}
        />
      )}
    </StepTitles>
  );
}
