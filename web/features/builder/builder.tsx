import { ReactFlowProvider } from "@xyflow/react";
import { Link } from "wouter";
import type { Workflow } from "../../api/types.ts";
import { topLevelStepOf } from "../../flow/inner-graph.ts";
import { selectStep } from "../../flow/selection.ts";
import { Screen } from "../../ui/screen.tsx";
import { noProgress } from "../canvas/flow-elements.ts";
import { BuilderActions, SaveStatus } from "./builder-actions.tsx";
import { BuilderDialogs } from "./builder-dialogs.tsx";
import "./builder.css";
import { EditableCanvas } from "./canvas/editable-canvas.tsx";
import { ProblemList } from "./canvas/problem-list.tsx";
import { StepPalette } from "./canvas/step-palette.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import { RunDrawer } from "./run/run-drawer.tsx";
import { useTriggers } from "./triggers/use-triggers.ts";
import { type BuilderState, useBuilder } from "./use-builder.ts";

export function Builder({ workflow }: { workflow: Workflow }) {
  const builder = useBuilder(workflow);
  const { autosave, history, openPanel } = builder;
  return (
    <Screen
      title={history.draft.name}
      breadcrumbs={
        <>
          <Link href="/workflows">Workflows</Link> /
        </>
      }
      titleInfo={
        <SaveStatus state={autosave.state} version={autosave.version} onRetry={() => void autosave.save()} />
      }
      actions={
        <BuilderActions
          workflow={workflow}
          history={history}
          onHistory={() => openPanel("history")}
          onRun={() => openPanel("run")}
          canRun={builder.validation.valid}
          onAdd={() => openPanel("search")}
          onAutoLayout={builder.commands.arrange}
        />
      }
    >
      <ReactFlowProvider>
        <Workspace builder={builder} />
      </ReactFlowProvider>
      <BuilderDialogs builder={builder} />
    </Screen>
  );
}

/** The palette, the canvas, the inspector, and below them the run started here. */
function Workspace({ builder }: { builder: BuilderState }) {
  const { history, selection, setSelection, validation, live, known, pinning, commands } = builder;
  const { draft, edit } = history;
  const progress = live.progress?.steps ?? noProgress;
  return (
    <div className={`workspace${live.task === undefined ? "" : " with-drawer"}`}>
      <StepPalette onAdd={commands.add} />
      <div className="canvas-area">
        <EditableCanvas
          draft={draft}
          edit={edit}
          triggers={useTriggers(builder.workflow)}
          progress={progress}
          pins={pinning.pins}
          problems={builder.canvasProblems}
          selection={selection}
          onSelect={setSelection}
          onDropType={commands.addAt}
        />
        {draft.steps.length === 0 && <EmptyCanvas onAdd={() => builder.openPanel("search")} />}
        <ProblemList
          validation={validation}
          onOpen={(id) => setSelection(selectStep(topLevelStepOf(draft.steps, id) ?? id))}
        />
      </div>
      <Inspector
        workflow={builder.workflow}
        draft={draft}
        edit={edit}
        selection={selection}
        onSelect={setSelection}
        problems={validation.errors}
        known={known}
        pinning={pinning}
        live={progress}
        tab={builder.tab}
        onTab={builder.setTab}
        commands={commands}
      />
      {live.task !== undefined && live.progress !== undefined && (
        <RunDrawer
          task={live.task}
          progress={live.progress}
          draft={draft}
          onSelect={(id) => {
            setSelection(selectStep(id));
            builder.setTab("last");
          }}
          onClose={builder.closeRun}
        />
      )}
    </div>
  );
}

function EmptyCanvas({ onAdd }: { onAdd: () => void }) {
  return (
    <div className="canvas-empty card">
      <b>No steps yet</b>
      <span className="small muted">
        Press <kbd>/</kbd> to search for a step, or drag one from the left.
      </span>
      <button type="button" className="btn go" onClick={onAdd}>
        Add step
      </button>
    </div>
  );
}
