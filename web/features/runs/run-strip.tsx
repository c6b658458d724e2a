import { Link } from "wouter";
import { isFinal } from "../../api/tasks.ts";
import type { Task, Workflow } from "../../api/types.ts";
import { inputLabel } from "../../flow/item-label.ts";
import { runLabel, versionLabel } from "../../flow/run-label.ts";
import type { RunProgress } from "../../flow/run-progress.ts";
import { duration, dateTime, startTime } from "../../ui/time.ts";
import { formatSpentOfRun } from "../../ui/tokens.ts";
import { useServerNow } from "./use-server-now.ts";

const STARTED_BY: Partial<Record<Task["trigger"], string>> = {
  manual: "manually",
  api: "through the endpoint",
  webhook: "by a webhook",
  schedule: "by its schedule",
  partial: "manually, selected steps only",
};

interface RunStripProps {
  task: Task;
  progress: RunProgress;
  stepCount: number;
  workflow: Workflow | undefined;
  clockOffsetMs: number | undefined;
}

/** The facts of a run in one line. */
export function RunStrip({ task, progress, stepCount, workflow, clockOffsetMs }: RunStripProps) {
  const isLive = !isFinal(progress.status);
  const now = useServerNow(clockOffsetMs, isLive);
  const started = Date.parse(task.startedAt ?? task.createdAt);
  const end = task.completedAt === null ? now : Date.parse(task.completedAt);
  const ended = [...progress.steps.values()].filter(({ endedAt }) => endedAt !== null);
  const failed = ended.filter(({ status }) => status === "failed").length;
  const spent = formatSpentOfRun(task.usage, task.cost);
  const isOldVersion =
    workflow !== undefined && task.workflowVersion > 0 && workflow.version !== task.workflowVersion;
  return (
    <dl className="run-strip">
      <Fact label="Started">
        <time dateTime={task.createdAt} title={dateTime(task.createdAt)}>
          {startTime(task.createdAt)}
        </time>{" "}
        {STARTED_BY[task.trigger] ?? `by ${task.trigger}`}
      </Fact>
      <Fact label="Version">
        {versionLabel(task.workflowVersion)}
        {isOldVersion && <span className="muted"> not the live one</span>}
      </Fact>
      <Fact label={isLive ? "Running for" : "Duration"}>
        {end === undefined ? "…" : duration(Math.max(0, end - started))}
      </Fact>
      <Fact label="Steps">
        {ended.length - failed} of {Math.max(stepCount, progress.steps.size)} done
        {failed > 0 && <span className="strip-failed">, {failed} failed</span>}
      </Fact>
      {spent !== undefined && <Fact label="AI cost">{spent}</Fact>}
      <Fact label="Input">
        <code>{inputLabel(task.input)}</code>
      </Fact>
      {task.parentTaskId !== undefined && (
        <Fact label={task.trigger === "manual" ? "Rerun of" : "Started by"}>
          <Link href={`/runs/${task.parentTaskId}`}>{runLabel(task.parentTaskId)}</Link>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
