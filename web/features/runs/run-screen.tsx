import { useMemo, useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { useApprovals } from "../../api/approvals.ts";
import { replay, startPartialRun, useTaskMutation } from "../../api/tasks.ts";
import type { Graph, Task } from "../../api/types.ts";
import { isMissingWorkflow, missingWorkflowName, useVersion, useWorkflow } from "../../api/workflows.ts";
import type { RunProgress } from "../../flow/run-progress.ts";
import { isFullRun } from "../../flow/known-results.ts";
import { stepTitle } from "../../flow/step-summary.ts";
import { Ago } from "../../ui/ago.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Failure, Loaded, Skeleton } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { duration } from "../../ui/time.ts";
import { ReadOnlyCanvas } from "../canvas/read-only-canvas.tsx";
import { builderLink } from "../builder/builder-link.ts";
import { DecisionBox } from "./decision-box.tsx";
import { RunActions } from "./run-actions.tsx";
import "./runs.css";
import { StepDetail } from "./step-detail.tsx";
import { useLiveRun } from "./use-live-run.ts";
import { Waterfall } from "./waterfall-chart.tsx";

const STARTED_BY: Record<string, string> = {
  manual: "by hand",
  api: "through the endpoint",
  webhook: "by a webhook",
  schedule: "by its schedule",
  partial: "by hand, some steps only",
};
const noGraph: Graph = { steps: [], edges: [] };

export function RunScreen() {
  const { id } = useParams<{ id: string }>();
  const live = useLiveRun(id);
  const { task, progress } = live;
  const workflow = useWorkflow(task?.workflowId ?? "");
  return (
    <Screen
      title={
        workflow.data?.name ??
        (isMissingWorkflow(workflow.error) ? missingWorkflowName(task?.workflowId ?? "") : "Run")
      }
      path={
        <>
          <Link href="/runs">Runs</Link> /
        </>
      }
      beside={
        <>
          {progress !== undefined && <StatusChip status={progress.status} />}
          {!live.connected && <span className="chip wait">connecting again</span>}
        </>
      }
      actions={
        task !== undefined && progress !== undefined && <RunActions task={task} status={progress.status} />
      }
    >
      {task !== undefined && progress !== undefined ? (
        <RunView
          key={task.id}
          task={task}
          progress={progress}
          hasNoWorkflow={isMissingWorkflow(workflow.error)}
        />
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

interface RunViewProps {
  task: Task;
  progress: RunProgress;
  /** The workflow cannot be opened: it was deleted, or comes with the program. */
  hasNoWorkflow: boolean;
}

function RunView({ task, progress, hasNoWorkflow }: RunViewProps) {
  const [, go] = useLocation();
  const version = useVersion(task.workflowId, task.workflowVersion);
  const graph = version.data?.metadata ?? noGraph;
  const [chosen, setChosen] = useState<string>();
  // Without a choice the step that needs a look is shown: the failed one.
  const failed =
    progress.status === "failed"
      ? [...progress.steps.values()].find((step) => step.status === "failed")?.stepId
      : undefined;
  const stepId = chosen ?? failed;
  const step = graph.steps.find((entry) => entry.stepId === stepId);
  const results = useMemo(() => new Map(task.stepResults.map((result) => [result.stepId, result])), [task]);
  const waiting = useApprovals(task.id).data;
  const follow = (taskId: string): void => go(`/runs/${taskId}`);
  const again = useTaskMutation((fromStepId: string) => replay(task.id, { fromStepId }), follow);
  const single = useTaskMutation(
    (id: string) =>
      startPartialRun(task.workflowId, { stepIds: [id], fromTaskId: task.id, input: task.input }),
    follow,
  );
  const error = again.error ?? single.error;
  return (
    <div className="run-view">
      {version.data === undefined ? (
        <div className="page">
          <GraphMissing error={version.error} hasNoWorkflow={hasNoWorkflow} />
        </div>
      ) : (
        <ReadOnlyCanvas
          graph={graph}
          progress={progress.steps}
          selected={stepId}
          onSelect={setChosen}
          label="Graph of this run"
        />
      )}
      <aside className="run-side stack" aria-label="Details">
        {progress.status === "waiting_approval" &&
          waiting?.map((approval) => <DecisionBox key={approval.stepId} {...approval} />)}
        {progress.status === "waiting_approval" && waiting?.length === 0 && (
          <div className="notice wait">
            <span>
              A workflow that this one runs waits for a decision: <Link href="/approvals">see approvals</Link>
              .
            </span>
          </div>
        )}
        {error !== null && <Failure error={error} />}
        {stepId !== undefined ? (
          <>
            <div>
              <button
                type="button"
                className="btn ghost tiny"
                onClick={() => setChosen("")}
                hidden={stepId === ""}
              >
                ← The whole run
              </button>
            </div>
            {stepId !== "" && (
              <StepDetail
                key={stepId}
                taskId={task.id}
                title={step === undefined ? stepId : stepTitle(step)}
                stepId={stepId}
                result={results.get(stepId)}
                progress={progress.steps.get(stepId)}
                inBuilder={
                  hasNoWorkflow || step === undefined ? undefined : builderLink(task.workflowId, stepId)
                }
                onReplay={() => again.mutate(stepId)}
                onRunOnly={isFullRun(task) ? () => single.mutate(stepId) : undefined}
                busy={again.isPending || single.isPending}
              />
            )}
          </>
        ) : null}
        {(stepId === undefined || stepId === "") && <RunSummary task={task} hasNoWorkflow={hasNoWorkflow} />}
      </aside>
      <section className="run-waterfall" aria-label="Waterfall">
        <Waterfall progress={progress} steps={graph.steps} selected={stepId} onSelect={setChosen} />
      </section>
    </div>
  );
}

function GraphMissing({ error, hasNoWorkflow }: { error: Error | null; hasNoWorkflow: boolean }) {
  if (hasNoWorkflow)
    return <div className="notice">The workflow of this run is not there to be drawn; its steps are.</div>;
  return error === null ? <Skeleton rows={4} /> : <Failure error={error} />;
}

function RunSummary({ task, hasNoWorkflow }: Omit<RunViewProps, "progress">) {
  const took =
    task.startedAt === null || task.completedAt === null
      ? null
      : Date.parse(task.completedAt) - Date.parse(task.startedAt);
  return (
    <section className="stack" aria-label="Run">
      <div>
        <div className="caps">Run</div>
        <p className="small">
          Started <Ago at={task.createdAt} /> {STARTED_BY[task.trigger] ?? `by ${task.trigger}`}, version{" "}
          {task.workflowVersion}
          {took === null ? "" : `, took ${duration(took)}`}.
        </p>
        {task.parentTaskId !== undefined && (
          <p className="small">
            {task.trigger === "manual" ? "A replay of" : "Started by"}{" "}
            <Link href={`/runs/${task.parentTaskId}`}>
              {task.trigger === "manual" ? "an earlier run" : "another run"}
            </Link>{" "}
            · <Link href={`/runs/compare?a=${task.parentTaskId}&b=${task.id}`}>side by side</Link>
          </p>
        )}
        {!hasNoWorkflow && (
          <p className="small">
            <Link href={`/workflows/${task.workflowId}`}>Open the workflow</Link>
          </p>
        )}
      </div>
      {task.error !== null && (
        <div className="notice bad" role="alert">
          {task.error.message}
        </div>
      )}
      {task.result !== null && (
        <div className="stack tight">
          <b className="small">Result</b>
          <JsonView value={task.result.output ?? task.result.outputs} />
        </div>
      )}
      <div className="stack tight">
        <b className="small">Input</b>
        <JsonView value={task.input} />
      </div>
    </section>
  );
}
