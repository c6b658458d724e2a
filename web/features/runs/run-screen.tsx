import { Filter } from "lucide-react";
import { useState } from "react";
import { Link, useParams } from "wouter";
import { useMay } from "../../api/permissions.ts";
import type { Graph, Task, Workflow } from "../../api/types.ts";
import { isFinal } from "../../api/tasks.ts";
import {
  isBuiltInWorkflow,
  isMissingWorkflow,
  missingWorkflowName,
  useVersion,
  useWorkflow,
} from "../../api/workflows.ts";
import { runLabel } from "../../flow/run-label.ts";
import type { RunProgress } from "../../flow/run-progress.ts";
import { Screen } from "../../ui/screen.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Failure, Loaded, Skeleton } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { clockTime } from "../../ui/time.ts";
import { useFilter } from "../../ui/use-filter.ts";
import { RerunPopover } from "./rerun-popover.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunGraph } from "./run-graph.tsx";
import { RunLog } from "./run-log.tsx";
import { RunStrip } from "./run-strip.tsx";
import { RunTimeline } from "./run-timeline.tsx";
import { StepPanel } from "./step-panel.tsx";
import { type LiveRun, useLiveRun } from "./use-live-run.ts";
import { useRunKeys } from "./use-run-keys.ts";
import "./runs.css";

const emptyGraph: Graph = { steps: [], edges: [] };

export function RunScreen() {
  const { id } = useParams<{ id: string }>();
  const live = useLiveRun(id);
  const { task, progress } = live;
  const workflow = useWorkflow(task?.workflowId ?? "");
  const isWorkflowMissing = isMissingWorkflow(workflow.error);
  const name =
    workflow.data?.name ?? (isWorkflowMissing ? missingWorkflowName(task?.workflowId ?? "") : undefined);
  if (task !== undefined && progress !== undefined)
    return (
      <RunView
        key={task.id}
        live={live}
        task={task}
        progress={progress}
        name={name}
        workflow={workflow.data}
        isWorkflowMissing={isWorkflowMissing}
      />
    );
  return (
    <Screen title={`Run ${runLabel(id)}`} breadcrumbs={<Breadcrumbs name={name} />}>
      <div className="page">
        <Loaded query={{ data: undefined, error: live.error, refetch: live.refetch }} rows={6}>
          {() => null}
        </Loaded>
      </div>
    </Screen>
  );
}

interface RunViewProps {
  live: LiveRun;
  task: Task;
  progress: RunProgress;
  name: string | undefined;
  workflow: Workflow | undefined;
  /** The workflow was deleted or is built in, so it cannot be opened. */
  isWorkflowMissing: boolean;
}

type View = "timeline" | "graph" | "log";

function RunView({ live, task, progress, name, workflow, isWorkflowMissing }: RunViewProps) {
  const version = useVersion(task.workflowId, task.workflowVersion);
  const graph = version.data?.metadata ?? emptyGraph;
  const [viewInUrl, setViewInUrl] = useFilter("view");
  const [problems, setProblems] = useFilter("problems");
  const [replayFrom, setReplayFrom] = useState<string>();
  const [isRerunOpen, setRerunOpen] = useState(false);
  const view: View = viewInUrl === "graph" || viewInUrl === "log" ? viewInUrl : "timeline";
  const { selected, isChosen, select, close } = useSelectedStep(task, progress);
  const may = useMay();
  const canRerun = isFinal(progress.status) && may("replayTask");
  const openRerun = (open: boolean): void => {
    setRerunOpen(open);
    if (!open) setReplayFrom(undefined);
  };
  useRunKeys({ onSelect: select, onClose: close, onRerun: () => openRerun(true), canRerun });
  const status = progress.status === "running" && !isFinal(task.status) ? task.status : progress.status;
  return (
    <Screen
      title={`Run ${runLabel(task.id)}`}
      breadcrumbs={<Breadcrumbs name={name} workflowId={isWorkflowMissing ? undefined : task.workflowId} />}
      titleInfo={<StatusChip status={status} />}
      actions={
        <>
          <RunActions task={task} status={progress.status} isWorkflowMissing={isWorkflowMissing} />
          {canRerun && (
            <RerunPopover
              task={task}
              status={progress.status}
              graph={graph}
              workflow={workflow}
              fromStepId={replayFrom}
              open={isRerunOpen}
              onOpenChange={openRerun}
            />
          )}
        </>
      }
    >
      <div className="run-view">
        {!live.connected && (
          <div className="run-lost" role="status">
            Connection lost, reconnecting. Last update at {clockTime(new Date(live.lastUpdate).toISOString())}
            .
          </div>
        )}
        <RunStrip
          task={task}
          progress={progress}
          stepCount={graph.steps.length}
          workflow={workflow}
          clockOffsetMs={live.clockOffsetMs}
        />
        <RunTabs
          view={view}
          onView={(next) => setViewInUrl(next === "timeline" ? "" : next)}
          onlyProblems={problems !== ""}
          onOnlyProblems={(only) => setProblems(only ? "1" : "")}
        />
        <div className="run-content">
          {view === "log" ? (
            <RunLog taskId={task.id} progress={progress} isLive={!isFinal(progress.status)} />
          ) : view === "graph" && version.data === undefined ? (
            <div className="page">
              <MissingGraph
                error={version.error}
                workflowId={isWorkflowMissing ? task.workflowId : undefined}
              />
            </div>
          ) : view === "graph" ? (
            <RunGraph task={task} graph={graph} progress={progress} selected={selected} onSelect={select} />
          ) : (
            <>
              {isWorkflowMissing && <MissingGraph error={null} workflowId={task.workflowId} />}
              <RunTimeline
                key={`${task.id} ${graph.steps.length}`}
                task={task}
                progress={progress}
                graph={graph}
                clockOffsetMs={live.clockOffsetMs}
                selected={selected}
                onSelect={select}
                onlyProblems={problems !== ""}
              />
            </>
          )}
        </div>
        {selected !== undefined && view !== "log" && (
          <StepPanel
            task={task}
            graph={graph}
            path={selected}
            isChosen={isChosen}
            progress={progress.steps.get(selected)}
            isWorkflowMissing={isWorkflowMissing}
            onReplay={(stepId) => {
              setReplayFrom(stepId);
              setRerunOpen(true);
            }}
            onSelect={select}
            onClose={close}
          />
        )}
      </div>
    </Screen>
  );
}

/** The path of the step in the URL, else what a person looks for first, until they close it: the failed step, or the result. */
function useSelectedStep(task: Task, progress: RunProgress) {
  const [linked, setLinked] = useFilter("step");
  const [isClosed, setClosed] = useState(false);
  // A loop fails with the path of one of its steps.
  const failed = progress.status === "failed" ? (task.error?.["stepId"] as string | undefined) : undefined;
  const first = progress.status === "completed" && task.result !== null ? "trigger" : failed;
  return {
    selected: linked !== "" ? linked : isClosed ? undefined : first,
    isChosen: linked !== "",
    select(path: string): void {
      setClosed(false);
      setLinked(path);
    },
    close(): void {
      setClosed(true);
      setLinked("");
    },
  };
}

interface RunTabsProps {
  view: View;
  onView: (view: View) => void;
  onlyProblems: boolean;
  onOnlyProblems: (only: boolean) => void;
}

function RunTabs({ view, onView, onlyProblems, onOnlyProblems }: RunTabsProps) {
  return (
    <div className="run-tabs">
      <Segments
        label="View"
        value={view}
        onChange={onView}
        options={[
          { value: "timeline", label: "Timeline" },
          { value: "graph", label: "Graph" },
          { value: "log", label: "Log" },
        ]}
      />
      {view === "timeline" && (
        <button
          type="button"
          className="btn ghost"
          aria-pressed={onlyProblems}
          onClick={() => onOnlyProblems(!onlyProblems)}
        >
          <Filter size={14} /> Only problems
        </button>
      )}
    </div>
  );
}

function Breadcrumbs({ name, workflowId }: { name: string | undefined; workflowId?: string | undefined }) {
  return (
    <>
      <Link href="/runs">Runs</Link> /{" "}
      {name !== undefined && (
        <>
          <span className="run-crumb ellipsis" title={name}>
            {workflowId === undefined ? name : <Link href={`/workflows/${workflowId}`}>{name}</Link>}
          </span>{" "}
          /{" "}
        </>
      )}
    </>
  );
}

/** `workflowId` is that of a workflow that cannot be read. */
function MissingGraph({ error, workflowId }: { error: Error | null; workflowId: string | undefined }) {
  if (workflowId !== undefined)
    return (
      <div className="notice">
        {isBuiltInWorkflow(workflowId)
          ? "An agent or a document question started this run. It has no workflow that you can open."
          : "The workflow of this run no longer exists. Its steps are listed below."}
      </div>
    );
  return error === null ? <Skeleton rows={4} /> : <Failure error={error} />;
}
