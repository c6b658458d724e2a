import { X } from "lucide-react";
import { useRef } from "react";
import type { Problem } from "../../../../contract/graph.ts";
import type { Workflow } from "../../../api/types.ts";
import { type Draft, renameStep } from "../../../flow/draft.ts";
import type { KnownResults } from "../../../flow/known-results.ts";
import { locateEdge, nodeIdIn } from "../../../flow/scopes.ts";
import { emptySelection, type Selection, selectStep } from "../../../flow/selection.ts";
import type { Progress } from "../../canvas/flow-elements.ts";
import type { useGraphCommands } from "../canvas/use-graph-commands.ts";
import { type ActiveField, ActiveFieldContext, ScopeContext } from "../placeholders/scope-context.ts";
import type { Pinning } from "../run/use-pins.ts";
import type { useRunCommands } from "../run/use-run-commands.ts";
import type { Edit } from "../use-draft.ts";
import { EdgeInspector } from "./edge-inspector.tsx";
import { scopedEdit } from "./scoped-edit.ts";
import "./step-panel.css";
import { StepPanel, type StepTab } from "./step-panel.tsx";
import { StepWide } from "./step-wide.tsx";
import { useSuggestions } from "./suggestions.ts";
import { useTestStep } from "./test-step.tsx";
import { useStepData } from "./use-step-data.ts";
import { useWideView } from "./use-wide-view.ts";
import { WorkflowSettings } from "./workflow-settings.tsx";
import { ReadOnlyUnless } from "../../../ui/allowed.tsx";

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
  /** Keeps the results and pins of a step under its new name. */
  onRenamed: (from: string, to: string) => void;
  /** Progress of the run started here. */
  live: Progress;
  liveRunId: string | undefined;
  tab: StepTab;
  onTab: (tab: StepTab) => void;
  commands: Pick<ReturnType<typeof useGraphCommands>, "remove" | "copy" | "duplicate"> &
    Pick<ReturnType<typeof useRunCommands>, "runSelected" | "runTo" | "runFrom" | "testStep">;
}

/** The panel on the canvas: the selected step, the selected edge, or the workflow itself. */
export function Inspector(props: InspectorProps) {
  const { workflow, draft, edit, selection, onSelect, commands } = props;
  const stepId = selection.stepIds.size === 1 ? [...selection.stepIds][0] : undefined;
  const edgeAt = locateEdge(draft, selection.edge ?? "");
  const edgeScope = scopedEdit(draft, edit, edgeAt.scope);
  if (stepId !== undefined) return <SelectedStep {...props} nodeId={stepId} />;
  return (
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
      {selection.edge !== undefined ? (
        <ReadOnlyUnless may="saveDraft">
          {" "}
          <EdgeInspector
            draft={edgeScope.graph}
            edgeId={edgeAt.key}
            edit={edgeScope.edit}
            onDeleted={() => onSelect(emptySelection)}
          />
        </ReadOnlyUnless>
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
  );
}

/** The selected step, in the panel or wide. */
function SelectedStep(props: InspectorProps & { nodeId: string }) {
  const { nodeId, draft, onSelect, commands, pinning, onTab } = props;
  const suggestions = useSuggestions(props.workflow.id);
  const data = useStepData(nodeId, { ...props, variables: suggestions.variables });
  const activeField = useRef<ActiveField>(null);
  const test = useTestStep({
    data,
    pinning,
    testStep: commands.testStep,
    runTo: () => commands.runTo(nodeId),
    onTest: () => onTab("output"),
  });
  const wide = useWideView(data === undefined ? undefined : nodeId);
  if (data === undefined) return null;
  const view = {
    data,
    draft,
    suggestions,
    pinning,
    test,
    onOpenEdge: (edge: string) => {
      wide.close();
      onSelect({ stepIds: new Set(), edge: nodeIdIn(data.within, edge) });
    },
    onOpenNode: (id: string) => onSelect(selectStep(id)),
    onRename(from: string, to: string) {
      data.edit((now) => renameStep(now, from, to));
      props.onRenamed(from, to);
      onSelect(selectStep(nodeIdIn(data.within, to)));
    },
    actions: {
      onRunTo: () => commands.runTo(nodeId),
      onRunFrom: () => commands.runFrom(data.loops[0]?.loop.stepId ?? data.step.stepId),
      onCopy: commands.copy,
      onDuplicate: commands.duplicate,
      onDelete() {
        if (wide.isWide) wide.close();
        commands.remove();
      },
    },
  };
  return (
    <ScopeContext value={data.scope}>
      <ActiveFieldContext value={activeField}>
        {wide.isWide ? (
          <StepWide view={view} onClose={wide.close} />
        ) : (
          <aside className="float panel inspector with-step" aria-label="Inspector">
            <StepPanel
              view={view}
              tab={props.tab}
              onTab={onTab}
              onExpand={wide.open}
              onClose={props.onClose}
            />
          </aside>
        )}
      </ActiveFieldContext>
    </ScopeContext>
  );
}
