import { ChevronDown, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { messageOf } from "../../api/api-error.ts";
import { stepAt, titleAt } from "../../../contract/graph/step-titles.ts";
import { parseStepPath } from "../../../contract/step-path.ts";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import { useMay } from "../../api/permissions.ts";
import { replay, rerunFromFailed, useTaskMutation } from "../../api/tasks.ts";
import type { Graph, Task, TaskStatus, Workflow } from "../../api/types.ts";
import { keptResults } from "../../flow/kept-results.ts";
import { runLabel, versionLabel } from "../../flow/run-label.ts";
import { TextField } from "../../ui/field.tsx";
import { parseJson } from "../../ui/parse-json.ts";
import { Popover } from "../../ui/popover.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { RadioList } from "../../ui/radio-list.tsx";

export interface RerunPopoverProps {
  task: Task;
  status: TaskStatus;
  graph: Graph;
  /** Undefined when the workflow was deleted: only its own version can run. */
  workflow: Workflow | undefined;
  /** The step from which a replay starts, when the user asked for one. */
  fromStepId: string | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const FAILED = "failed";
const BEGINNING = "beginning";

/** Asks for version, starting step and input, and runs again. */
export function RerunPopover(props: RerunPopoverProps) {
  return (
    <Popover
      label="Rerun"
      className="rerun"
      open={props.open}
      onOpenChange={props.onOpenChange}
      trigger={
        <button type="button" className="btn">
          <RotateCcw size={14} /> Rerun <ChevronDown size={14} />
        </button>
      }
    >
      {/* A new form each time it opens: the step or the live version may have changed. */}
      <RerunForm {...props} />
    </Popover>
  );
}

function RerunForm({ task, status, graph, workflow, fromStepId, onOpenChange }: RerunPopoverProps) {
  const [, navigate] = useLocation();
  const may = useMay();
  const isFailed = status === "failed";
  const [version, setVersion] = useState(() => preselectedVersion(task, workflow, may("runWorkflowSteps")));
  const failedStep = isFailed ? topLevelStep(task.error?.["stepId"]) : undefined;
  // To continue repeats nothing that has finished, so it is the first choice also for the step that failed.
  const [start, setStart] = useState(
    isFailed && (fromStepId === undefined || fromStepId === failedStep) ? FAILED : (fromStepId ?? BEGINNING),
  );
  const [text, setText] = useState<string>();
  const input = text === undefined ? undefined : parseJson(text);
  const startAt = input !== undefined && start === FAILED ? BEGINNING : start;
  const again = useTaskMutation(
    async () => {
      const chosen = version === "original" ? undefined : version;
      if (startAt === FAILED) {
        const { rerunFromStep, keptSteps } = await rerunFromFailed(task.id, chosen);
        const kept = keptSteps.length === 0 ? "" : `, ${resultsOf(keptSteps.length)} kept`;
        showToast(`Rerunning from ${titleAt(graph, rerunFromStep)}${kept}.`);
        return undefined;
      }
      return replay(task.id, {
        ...(startAt === BEGINNING ? {} : { fromStepId: startAt }),
        ...(input === undefined ? {} : { input: input.value }),
        ...(chosen === undefined ? {} : { version: chosen as "current" }),
      });
    },
    (taskId) => {
      onOpenChange(false);
      if (taskId !== undefined) navigate(`/runs/${taskId}`);
    },
  );
  const versions = versionOptions(task, workflow, may("runWorkflowSteps"));
  // A newer version may have changed completed steps or the loop, which then run again.
  const isOther =
    version === "draft" || (version === "current" && workflow?.version !== task.workflowVersion);
  const isLoop = (stepId: string | undefined): boolean =>
    stepId !== undefined && traitsOf(stepAt(graph, stepId)?.type).loop === true;
  const kept = (count: number): string => `keeps ${isOther && count > 0 ? "up to " : ""}${resultsOf(count)}`;
  const finished = keptResults(task, graph, undefined);
  const finishedItems = `${finished > 0 ? `${kept(finished)} and` : "keeps"} the finished items${isOther ? " if the loop is unchanged" : ""}`;
  const starts = [
    isFailed && {
      value: FAILED,
      label: failedStep === undefined ? "The failed step" : titleAt(graph, failedStep),
      note: `the failed step, ${isLoop(failedStep) ? finishedItems : kept(finished)}`,
      disabled: input !== undefined,
    },
    fromStepId !== undefined && {
      value: fromStepId,
      label: titleAt(graph, fromStepId),
      note: `a new run${isLoop(fromStepId) ? " of every item" : ""}, ${kept(keptResults(task, graph, fromStepId))}`,
    },
    { value: BEGINNING, label: "The beginning", note: "a new run" },
  ].filter((start) => start !== false);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (input?.error === undefined)
          again.mutate(undefined, { onError: (error) => showToast(messageOf(error)) });
      }}
    >
      <RadioList label="Version" value={version} onChange={setVersion} options={versions} />
      <RadioList label="Start at" value={startAt} onChange={setStart} options={starts} />
      <Switch
        label="Edit input before rerun"
        checked={text !== undefined}
        onChange={(on) => setText(on ? JSON.stringify(task.input, null, 2) : undefined)}
      />
      {text !== undefined && (
        <TextField label="Input (JSON)" mono rows={6} value={text} onChange={setText} error={input?.error} />
      )}
      {task.trigger === "workflow" && task.parentTaskId !== undefined && isFailed && (
        <p className="small muted">
          Run {runLabel(task.parentTaskId)} started this one. Rerun it afterwards: it continues with the new
          result.
        </p>
      )}
      <button
        type="submit"
        className="btn go rerun-submit"
        disabled={again.isPending || input?.error !== undefined}
      >
        <RotateCcw size={14} /> Rerun with{" "}
        {version === "draft"
          ? "draft"
          : versionLabel(version === "original" ? task.workflowVersion : (workflow?.version ?? 0))}
      </button>
    </form>
  );
}

function versionOptions(task: Task, workflow: Workflow | undefined, mayTest: boolean) {
  return [
    workflow !== undefined &&
      workflow.published !== false && {
        value: "current",
        label: `Live v${workflow.version}`,
        // A repaired draft that is not published would change nothing.
        note:
          workflow.version !== task.workflowVersion
            ? "What triggers run now"
            : workflow.draft === undefined
              ? "Unchanged since this run"
              : "Without your unpublished changes",
      },
    {
      value: "original",
      label: `Original ${versionLabel(task.workflowVersion)}`,
      note: "As this run started",
    },
    workflow?.draft !== undefined &&
      mayTest && { value: "draft", label: "Draft", note: "Changes that are not published" },
  ].filter((option) => option !== false);
}

/** A run of a draft is repaired in the draft. The live version of an unpublished workflow is empty. */
function preselectedVersion(task: Task, workflow: Workflow | undefined, mayTest: boolean): string {
  if (workflow === undefined) return "original";
  const isDraftRun = task.workflowVersion < 0 || workflow.published === false;
  if (!isDraftRun) return "current";
  if (workflow.draft !== undefined && mayTest) return "draft";
  return workflow.published === false ? "original" : "current";
}

/** A loop fails with the path of one of its steps. */
function topLevelStep(path: unknown): string | undefined {
  if (typeof path !== "string") return undefined;
  const { iterations, stepId } = parseStepPath(path);
  return iterations[0]?.loopId ?? stepId;
}

function resultsOf(count: number): string {
  return count === 1 ? "1 result" : `${count === 0 ? "no" : count} results`;
}
