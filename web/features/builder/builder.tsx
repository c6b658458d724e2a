import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import { validateGraph } from "../../../contract/graph/validate.ts";
import { useTask, useTasks } from "../../api/tasks.ts";
import type { Workflow } from "../../api/types.ts";
import type { Draft } from "../../flow/draft.ts";
import { pickableValues } from "../../flow/values.ts";
import { Screen } from "../../ui/screen.tsx";
import { noProgress } from "../canvas/flow-elements.ts";
import { useLiveRun } from "../runs/use-live-run.ts";
import { BuilderActions, SaveNote } from "./builder-actions.tsx";
import "./builder.css";
import { EdgeInspector } from "./edge-inspector.tsx";
import { EditableCanvas } from "./editable-canvas.tsx";
import { HistoryDialog } from "./history-dialog.tsx";
import { readLocalDraft } from "./local-draft.ts";
import { MergeDialog } from "./merge-dialog.tsx";
import { ProblemList } from "./problem-list.tsx";
import { RunDialog } from "./run-dialog.tsx";
import { RunDrawer } from "./run-drawer.tsx";
import { nothing, only, type Selection } from "./selection.ts";
import { StepInspector } from "./step-inspector.tsx";
import { StepPalette, StepSearch } from "./step-palette.tsx";
import { useSuggestions } from "./suggestions.ts";
import { draftOf, useAutosave } from "./use-autosave.ts";
import { useBuilderCommands } from "./use-builder-commands.ts";
import { useDraft } from "./use-draft.ts";
import { ValuePicker } from "./value-picker.tsx";
import { WorkflowSettings } from "./workflow-settings.tsx";

type Panel = "search" | "history" | "run" | undefined;

/** The first edit of this visit may be one that the last visit could not save. */
function useStart(workflow: Workflow) {
  const [start] = useState(() => {
    const saved = draftOf(workflow);
    const kept = readLocalDraft(workflow.id);
    if (kept === undefined) return { draft: saved, saved: { version: workflow.version, draft: saved } };
    return { draft: kept.draft, saved: { version: kept.baseVersion, draft: kept.base } };
  });
  return start;
}

export function Builder({ workflow }: { workflow: Workflow }) {
  const start = useStart(workflow);
  const history = useDraft(() => start.draft);
  const { draft, edit } = history;
  const validation = useMemo(() => validateGraph(draft), [draft]);
  const [conflict, setConflict] = useState<{ theirs: Workflow; base: Draft }>();
  const autosave = useAutosave({
    workflow,
    draft,
    valid: validation.valid,
    start: start.saved,
    onConflict: (theirs, base) => setConflict({ theirs, base }),
  });
  const [selection, setSelection] = useState<Selection>(nothing);
  const [panel, setPanel] = useState<Panel>();
  const [picking, setPicking] = useState<(placeholder: string) => void>();
  const [runId, setRunId] = useState<string>();

  const lastTask = useTasks({ workflowId: workflow.id, limit: 1 }).data?.tasks[0]?.id;
  const shownRun = runId ?? undefined;
  const live = useLiveRun(shownRun);
  const lastRun = useTask(lastTask).data;
  const task = live.task ?? lastRun;
  const results = useMemo(
    () => new Map((task?.stepResults ?? []).map((result) => [result.stepId, result])),
    [task],
  );
  const suggestions = useSuggestions(workflow.id);

  const stepId = selection.stepIds.size === 1 ? [...selection.stepIds][0] : undefined;
  const step = draft.steps.find((entry) => entry.stepId === stepId);
  const commands = useBuilderCommands({
    workflow,
    history,
    selection,
    setSelection,
    autosave,
    setPanel,
    setRunId,
    lastTaskId: task?.id,
  });

  // Saved elsewhere while nothing was changed here: take it over without a question.
  const { rebase, version } = autosave;
  const { reset } = history;
  const isClean = autosave.state.kind === "saved";
  const seen = useRef(workflow.version);
  useEffect(() => {
    if (workflow.version <= seen.current) return;
    seen.current = workflow.version;
    if (!isClean || workflow.version <= version) return;
    const theirs = draftOf(workflow);
    rebase(workflow, theirs);
    reset(theirs);
  }, [workflow, version, isClean, rebase, reset]);

  return (
    <Screen
      title={draft.name}
      path={
        <>
          <Link href="/workflows">Workflows</Link> /
        </>
      }
      beside={
        <SaveNote state={autosave.state} version={autosave.version} onRetry={() => void autosave.save()} />
      }
      actions={
        <BuilderActions
          workflow={workflow}
          history={history}
          onHistory={() => setPanel("history")}
          onRun={() => setPanel("run")}
          canRun={validation.valid}
          onAdd={() => setPanel("search")}
          onTidy={commands.tidy}
        />
      }
    >
      <ReactFlowProvider>
        <div className={`work${live.task === undefined ? "" : " with-drawer"}`}>
          <StepPalette onAdd={commands.add} />
          <div className="canvas-place">
            <EditableCanvas
              draft={draft}
              edit={edit}
              progress={live.progress?.steps ?? noProgress}
              problems={validation.errors}
              selection={selection}
              onSelect={setSelection}
              onDropType={commands.addAt}
            />
            {draft.steps.length === 0 && (
              <div className="canvas-empty card">
                <b>An empty canvas</b>
                <span className="small muted">
                  Press <kbd>/</kbd> and say what the first step should do, or drag one from the left.
                </span>
                <button type="button" className="btn go" onClick={() => setPanel("search")}>
                  Add a step
                </button>
              </div>
            )}
            <ProblemList validation={validation} onOpen={(id) => setSelection(only(id))} />
          </div>
          <aside
            className={`side${step === undefined && selection.edge === undefined ? " idle" : ""}`}
            aria-label="Inspector"
          >
            {step !== undefined ? (
              <StepInspector
                key={draft.steps.indexOf(step)}
                draft={draft}
                step={step}
                edit={edit}
                problems={validation.errors}
                lastResult={results.get(step.stepId)}
                suggestions={suggestions}
                onPick={(insert) => setPicking(() => insert)}
                onOpenEdge={(edge) => setSelection({ stepIds: new Set(), edge })}
                onRemove={commands.remove}
                onCopy={commands.copy}
                onRunThis={commands.runSelected}
                onRenamed={(id) => setSelection(only(id))}
              />
            ) : selection.edge !== undefined ? (
              <EdgeInspector
                draft={draft}
                edgeId={selection.edge}
                edit={edit}
                onGone={() => setSelection(nothing)}
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
          {live.task !== undefined && live.progress !== undefined && (
            <RunDrawer
              task={live.task}
              progress={live.progress}
              draft={draft}
              onSelect={(id) => setSelection(only(id))}
              onClose={() => setRunId(undefined)}
            />
          )}
        </div>
      </ReactFlowProvider>
      {panel === "search" && <StepSearch onAdd={commands.add} onClose={() => setPanel(undefined)} />}
      {panel === "run" && (
        <RunDialog
          workflowId={workflow.id}
          lastInput={task?.input}
          onRun={commands.run}
          onClose={() => setPanel(undefined)}
        />
      )}
      {panel === "history" && (
        <HistoryDialog
          workflowId={workflow.id}
          current={draft}
          onClose={() => setPanel(undefined)}
          onRolledBack={(next) => {
            const restored = draftOf(next);
            autosave.rebase(next, restored);
            history.reset(restored);
            setPanel(undefined);
          }}
        />
      )}
      {conflict !== undefined && (
        <MergeDialog
          base={conflict.base}
          mine={draft}
          theirs={conflict.theirs}
          onMerged={(merged) => {
            autosave.rebase(conflict.theirs);
            edit(() => merged);
            setConflict(undefined);
          }}
          onClose={() => setConflict(undefined)}
        />
      )}
      {picking !== undefined && step !== undefined && (
        <ValuePicker
          values={pickableValues(
            draft,
            step.stepId,
            task === undefined
              ? undefined
              : { input: task.input, outputs: new Map([...results].map(([id, { output }]) => [id, output])) },
            suggestions.variables,
          )}
          hasRun={task !== undefined}
          onPick={picking}
          onClose={() => setPicking(undefined)}
        />
      )}
    </Screen>
  );
}
