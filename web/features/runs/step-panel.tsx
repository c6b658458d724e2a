import { Bot, Pencil, Play, RotateCcw, X } from "lucide-react";
import { Suspense, useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { parseStepPath } from "../../../contract/step-path.ts";
import { useAgents } from "../../api/agents.ts";
import { messageOf } from "../../api/api-error.ts";
import { isFinal, type StepAttempt, startPartialRun, useAttempts, useTaskMutation } from "../../api/tasks.ts";
import type { Graph, StepResult, Task } from "../../api/types.ts";
import { isDeletedAgent } from "../../flow/deleted-agent.ts";
import { runErrorText } from "../../flow/error-text.ts";
import { markdownSigns } from "../../flow/markdown-text.ts";
import { isFullRun } from "../../flow/known-results.ts";
import type { StepProgress } from "../../flow/run-progress.ts";
import { isConnectionError } from "../../flow/connection-error.ts";
import type { Step } from "../../../contract/graph.ts";
import { stepAt, titleAt } from "../../../contract/graph/step-titles.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { showToast } from "../../ui/toasts.tsx";
import { builderLink } from "../builder/builder-link.ts";
import { LogLines } from "../output/log-lines.tsx";
import { OutputView } from "../output/output-view.tsx";
import { StoredValue } from "../output/stored-value.tsx";
import { TextValue } from "../output/text-value.tsx";
import { useMay } from "../../api/permissions.ts";
import { ChildRunLink, ChildRunRepair } from "./child-run.tsx";
import { DecidedBy } from "./decided-by.tsx";
import { FailedItem } from "./failed-item.tsx";

const ConnectionFix = lazyComponent(() => import("../connections/connection-fix.tsx"), "ConnectionFix");

interface StepPanelProps {
  task: Task;
  graph: Graph;
  path: string;
  /** A person chose the step, or the link did. The page selects a failed step by itself. */
  isChosen: boolean;
  progress: StepProgress | undefined;
  /** The workflow was deleted or is built in, so it cannot be opened. */
  isWorkflowMissing: boolean;
  onReplay: (stepId: string) => void;
  onSelect: (path: string) => void;
  onClose: () => void;
}

/** Below the timeline: response, request and attempts of the selected step, or the input and result of the run. */
export function StepPanel(props: StepPanelProps) {
  const { task, graph, path, isChosen, onClose } = props;
  const section = useRef<HTMLElement>(null);
  // In a narrow window the panel is below all rows: without this, a chosen row seems to do nothing.
  useEffect(() => {
    if (isChosen) section.current?.scrollIntoView({ block: "nearest" });
  }, [path, isChosen]);
  const { iterations } = parseStepPath(path);
  const place = iterations.map(({ index }, depth) => `${nounAt(graph, path, depth)} ${index + 1}`).join(", ");
  return (
    <section ref={section} className="run-panel" aria-label="Step">
      <div className="row wrap run-panel-head">
        <h2>{path === "trigger" ? "Input and result" : titleAt(graph, path)}</h2>
        {place !== "" && <span className="muted small">{place}</span>}
        <span className="grow" />
        {path !== "trigger" && <StepActions {...props} loopId={iterations[0]?.loopId} />}
        {path !== "trigger" && <ChildRunLink {...props} />}
        {path !== "trigger" && <OpenAgent step={stepAt(graph, path)} />}
        {path !== "trigger" && <OpenInEditor {...props} />}
        <button type="button" className="btn ghost icon" aria-label="Close step" onClick={onClose}>
          <X size={15} />
        </button>
      </div>
      {path === "trigger" ? (
        <RunValues task={task} graph={graph} />
      ) : iterations.length === 0 ? (
        <OwnStep {...props} />
      ) : (
        <ItemStep {...props} />
      )}
    </section>
  );
}

/** A for each has items, a loop with a condition has iterations. */
function nounAt(graph: Graph, path: string, depth: number): "Item" | "Iteration" {
  const loopPath = path
    .split("/")
    .slice(0, depth + 1)
    .join("/")
    .replace(/\[\d+\]$/, "");
  return stepAt(graph, loopPath)?.type === "while" ? "Iteration" : "Item";
}

function RunValues({ task, graph }: { task: Task; graph: Graph }) {
  return (
    <div className="side-by-side">
      <div className="stack tight">
        <b className="small">Input</b>
        <JsonView value={task.input} />
      </div>
      <div className="stack tight">
        <b className="small">Result</b>
        {task.result === null ? (
          <p className="small muted">{runErrorText(task, graph) || "The run has no result yet."}</p>
        ) : (
          <RunResult value={task.result.output ?? task.result.outputs} />
        )}
      </div>
    </div>
  );
}

function RunResult({ value }: { value: unknown }) {
  if (typeof value === "string" && markdownSigns(value) === "clear") return <TextValue text={value} />;
  return <StoredValue value={value} />;
}

function OwnStep({ task, graph, path, progress, onReplay, onSelect }: StepPanelProps) {
  const mayRerun = useMay()("replayTask") && isFinal(task.status);
  const result = task.stepResults.find(({ stepId }) => stepId === path);
  const connectionId = stepAt(graph, path)?.["connection"];
  if (progress?.status === "waiting" && isConnectionError(progress.error) && typeof connectionId === "string")
    return (
      <>
        <div className="notice wait" role="status">
          {progress.error?.message} The step goes on as soon as the connection works again.
        </div>
        <Suspense fallback={null}>
          <ConnectionFix connectionId={connectionId} />
        </Suspense>
      </>
    );
  if (result === undefined || progress?.status === "running")
    return (
      <>
        <p className="small muted">
          {progress === undefined ? "This step did not run." : "The step is running."}
        </p>
        {progress?.logs !== undefined && <LogLines lines={progress.logs} />}
      </>
    );
  return (
    <div className="stack">
      {result.status === "failed" && <ChildRunRepair task={task} graph={graph} path={path} />}
      {result.completedAt !== null && (
        <FailedItem
          taskId={task.id}
          graph={graph}
          step={stepAt(graph, path)}
          path={path}
          onSelect={onSelect}
        />
      )}
      {result.type === "approval" && result.completedAt !== null && (
        <p className="small">
          <DecidedBy taskId={task.id} path={path} />
        </p>
      )}
      <OutputView
        key={path}
        result={result}
        taskId={task.id}
        connectionId={connectionId}
        onRerun={mayRerun ? () => onReplay(path) : undefined}
      />
    </div>
  );
}

/** The service returns no result of a step within a loop; its newest attempt has all of it. */
function ItemStep({ task, graph, path, onSelect }: StepPanelProps) {
  const step = stepAt(graph, path);
  const attempts = useAttempts(task.id, path, path);
  const newest = attempts.data?.[0];
  if (newest === undefined)
    return (
      <p className="small muted">
        {attempts.data === undefined
          ? "Loading …"
          : "Select a step of this item to see its input and output."}
      </p>
    );
  return (
    <div className="stack">
      <FailedItem taskId={task.id} graph={graph} step={step} path={path} onSelect={onSelect} />
      <OutputView
        key={path}
        result={resultOf(path, step?.type ?? "", newest)}
        taskId={task.id}
        path={path}
        connectionId={step?.["connection"]}
      />
    </div>
  );
}

function resultOf(stepId: string, type: string, attempt: StepAttempt): StepResult {
  const { attempt: attempts, startedAt = null, completedAt } = attempt;
  return {
    ...attempt,
    stepId,
    type,
    attempts,
    startedAt,
    durationMs: startedAt === null ? null : Date.parse(completedAt) - Date.parse(startedAt),
  };
}

/** A step within a loop has no result of its own that a rerun could keep: it runs again with its loop. */
function StepActions({ task, path, onReplay, loopId }: StepPanelProps & { loopId?: string | undefined }) {
  const [, navigate] = useLocation();
  const runStep = useTaskMutation(
    () => startPartialRun(task.workflowId, { stepIds: [path], fromTaskId: task.id, input: task.input }),
    (taskId) => navigate(`/runs/${taskId}`),
  );
  const may = useMay();
  return (
    <>
      {isFinal(task.status) && may("replayTask") && (
        <button type="button" className="btn tiny" onClick={() => onReplay(loopId ?? path)}>
          <RotateCcw size={13} /> Rerun from {loopId === undefined ? "here" : "the loop"}
        </button>
      )}
      {loopId === undefined && isFullRun(task) && may("runWorkflowSteps") && (
        <button
          type="button"
          className="btn tiny"
          disabled={runStep.isPending}
          onClick={() => runStep.mutate(undefined, { onError: (error) => showToast(messageOf(error)) })}
        >
          <Play size={13} /> Run this step
        </button>
      )}
    </>
  );
}

/** Its instructions, model and tools are not in the step. */
function OpenAgent({ step }: { step: Step | undefined }) {
  const agentId = step?.["agentId"];
  const isDeleted = isDeletedAgent(agentId, useAgents().data);
  // A placeholder names another agent in each run.
  if (typeof agentId !== "string" || agentId.includes("{{")) return null;
  // The step is repaired in the editor.
  if (isDeleted) return <span className="chip bad">Agent deleted</span>;
  return (
    <Link className="btn tiny" href={`/agents/${agentId}`}>
      <Bot size={13} /> Open agent
    </Link>
  );
}

/** Also for a step in a loop, which the editor has once for all items. */
function OpenInEditor({ task, path, isWorkflowMissing, graph }: StepPanelProps) {
  if (isWorkflowMissing || stepAt(graph, path) === undefined) return null;
  const { iterations, stepId } = parseStepPath(path);
  const nodeId = [...iterations.map(({ loopId }) => loopId), stepId].filter(Boolean).join("/");
  return (
    <Link className="btn tiny" href={builderLink(task.workflowId, nodeId)}>
      <Pencil size={13} /> Open step in editor
    </Link>
  );
}
