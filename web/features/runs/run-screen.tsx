import { useMemo, useState } from "react";
import { Link, useParams } from "wouter";
import type { Graph } from "../../api/types.ts";
import { isMissingWorkflow, missingWorkflowName, useVersion, useWorkflow } from "../../api/workflows.ts";
import { Screen } from "../../ui/screen.tsx";
import { Failure, Loaded, Skeleton } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { ReadOnlyCanvas } from "../canvas/read-only-canvas.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunDetails, type RunViewProps } from "./run-details.tsx";
import "./runs.css";
import { useLiveRun } from "./use-live-run.ts";
import { Waterfall } from "./waterfall-chart.tsx";

const emptyGraph: Graph = { steps: [], edges: [] };

export function RunScreen() {
  const { id } = useParams<{ id: string }>();
  const live = useLiveRun(id);
  const { task, progress } = live;
  const workflow = useWorkflow(task?.workflowId ?? "");
  const isWorkflowMissing = isMissingWorkflow(workflow.error);
  return (
    <Screen
      title={workflow.data?.name ?? (isWorkflowMissing ? missingWorkflowName(task?.workflowId ?? "") : "Run")}
      breadcrumbs={
        <>
          <Link href="/runs">Runs</Link> /
        </>
      }
      titleInfo={
        <>
          {progress !== undefined && <StatusChip status={progress.status} />}
          {!live.connected && <span className="chip wait">reconnecting</span>}
        </>
      }
      actions={
        task !== undefined && progress !== undefined && <RunActions task={task} status={progress.status} />
      }
    >
      {task !== undefined && progress !== undefined ? (
        <RunView key={task.id} task={task} progress={progress} isWorkflowMissing={isWorkflowMissing} />
      ) : (
        <div className="page">
          <Loaded query={{ data: undefined, error: live.error, refetch: live.refetch }} rows={6}>
            {() => null}
          </Loaded>
        </div>
      )}
    </Screen>
  );
}

function RunView({ task, progress, isWorkflowMissing }: RunViewProps) {
  const version = useVersion(task.workflowId, task.workflowVersion);
  const graph = version.data?.metadata ?? emptyGraph;
  /** Undefined until the user selects a step; null after "Whole run". */
  const [selected, setSelected] = useState<string | null>();
  const failedStepId = useMemo(
    () =>
      progress.status === "failed"
        ? [...progress.steps.values()].find((step) => step.status === "failed")?.stepId
        : undefined,
    [progress],
  );
  const stepId = (selected === undefined ? failedStepId : selected) ?? undefined;
  return (
    <div className="run-view">
      {version.data === undefined ? (
        <div className="page">
          <MissingGraph error={version.error} isWorkflowMissing={isWorkflowMissing} />
        </div>
      ) : (
        <ReadOnlyCanvas
          graph={graph}
          progress={progress.steps}
          selected={stepId}
          onSelect={setSelected}
          label="Graph of this run"
        />
      )}
      <RunDetails
        task={task}
        progress={progress}
        isWorkflowMissing={isWorkflowMissing}
        step={graph.steps.find((entry) => entry.stepId === stepId)}
        stepId={stepId}
        onClose={() => setSelected(null)}
      />
      <section className="run-waterfall" aria-label="Waterfall">
        <Waterfall progress={progress} steps={graph.steps} selected={stepId} onSelect={setSelected} />
      </section>
    </div>
  );
}

function MissingGraph({ error, isWorkflowMissing }: { error: Error | null; isWorkflowMissing: boolean }) {
  if (isWorkflowMissing)
    return (
      <div className="notice">The workflow of this run no longer exists. Its steps are listed below.</div>
    );
  return error === null ? <Skeleton rows={4} /> : <Failure error={error} />;
}
