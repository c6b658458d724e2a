import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { Workflow } from "../../api/types.ts";
import type { Draft } from "../../flow/draft.ts";
import { topLevelStepOf } from "../../flow/inner-graph.ts";
import { Screen } from "../../ui/screen.tsx";
import { noProgress } from "../canvas/flow-elements.ts";
import { useLiveRun } from "../runs/use-live-run.ts";
import { BuilderActions, SaveNote } from "./builder-actions.tsx";
import "./builder.css";
import { EditableCanvas } from "./canvas/editable-canvas.tsx";
import { HistoryDialog } from "./history/history-dialog.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import { readLocalDraft } from "./local-draft.ts";
import { MergeDialog } from "./history/merge-dialog.tsx";
import { ProblemList } from "./canvas/problem-list.tsx";
import { RunDialog } from "./run/run-dialog.tsx";
import { RunDrawer } from "./run/run-drawer.tsx";
import { emptySelection, selectStep, type Selection } from "../../flow/selection.ts";
import { StepPalette, StepSearch } from "./canvas/step-palette.tsx";
import type { StepTab } from "./inspector/step-inspector.tsx";
import { linkedStepId } from "./builder-link.ts";
import { draftOf, useAutosave } from "./use-autosave.ts";
import { useGraphCommands } from "./canvas/use-graph-commands.ts";
import { useDraft } from "./use-draft.ts";
import { useKnownResults } from "./run/use-known-results.ts";
import { usePins } from "./run/use-pins.ts";
import { useRunCommands } from "./run/use-run-commands.ts";
import { useValidation } from "./use-validation.ts";

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

function chosenByAddress({ steps }: Draft): Selection {
  const wanted = linkedStepId();
  return steps.some(({ stepId }) => stepId === wanted) && wanted !== null
    ? selectStep(wanted)
    : emptySelection;
}

export function Builder({ workflow }: { workflow: Workflow }) {
  const start = useStart(workflow);
  const history = useDraft(() => start.draft);
  const { draft, edit } = history;
  const { validation, onCanvas } = useValidation(draft);
  const [conflict, setConflict] = useState<{ theirs: Workflow; base: Draft }>();
  const autosave = useAutosave({
    workflow,
    draft,
    valid: validation.valid,
    start: start.saved,
    onConflict: (theirs, base) => setConflict({ theirs, base }),
  });
  const [selection, setSelection] = useState<Selection>(() => chosenByAddress(start.draft));
  const [panel, setPanel] = useState<Panel>();
  const [tab, setTab] = useState<StepTab>("settings");
  const [runId, setRunId] = useState<string>();

  const live = useLiveRun(runId);
  const pinning = usePins(workflow.id);
  const known = useKnownResults(workflow.id, runId, pinning.pins);
  const commands = useGraphCommands({ history, selection, setSelection, autosave, setPanel });
  const runs = useRunCommands({
    workflowId: workflow.id,
    draft,
    selection,
    autosave,
    known,
    onStarted(taskId) {
      setRunId(taskId);
      // Whoever runs a step while looking at it wants to see what comes out.
      setTab("last");
    },
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
              pins={pinning.pins}
              problems={onCanvas}
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
                  Add step
                </button>
              </div>
            )}
            <ProblemList
              validation={validation}
              onOpen={(id) => setSelection(selectStep(topLevelStepOf(draft.steps, id) ?? id))}
            />
          </div>
          <Inspector
            workflow={workflow}
            draft={draft}
            edit={edit}
            selection={selection}
            onSelect={setSelection}
            problems={validation.errors}
            known={known}
            pinning={pinning}
            live={live.progress?.steps ?? noProgress}
            tab={tab}
            onTab={setTab}
            commands={{ ...commands, ...runs }}
          />
          {live.task !== undefined && live.progress !== undefined && (
            <RunDrawer
              task={live.task}
              progress={live.progress}
              draft={draft}
              onSelect={(id) => {
                setSelection(selectStep(id));
                setTab("last");
              }}
              onClose={() => setRunId(undefined)}
            />
          )}
        </div>
      </ReactFlowProvider>
      {panel === "search" && <StepSearch onAdd={commands.add} onClose={() => setPanel(undefined)} />}
      {panel === "run" && (
        <RunDialog
          workflowId={workflow.id}
          lastInput={known.input}
          onRun={runs.run}
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
    </Screen>
  );
}
