import { Link } from "wouter";
import type { Task } from "../../api/types.ts";
import { Ago } from "../../ui/ago.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { StoredValue } from "../output/stored-value.tsx";
import { duration } from "../../ui/time.ts";
import { formatSpent } from "../../ui/tokens.ts";

const STARTED_BY: Partial<Record<Task["trigger"], string>> = {
  manual: "manually",
  api: "through the endpoint",
  webhook: "by a webhook",
  schedule: "by its schedule",
  partial: "manually, selected steps only",
};

/** Trigger, version, duration, error, result and input of a run. */
export function RunSummary({ task, isWorkflowMissing }: { task: Task; isWorkflowMissing: boolean }) {
  const durationMs =
    task.startedAt === null || task.completedAt === null
      ? null
      : Date.parse(task.completedAt) - Date.parse(task.startedAt);
  const spent = formatSpent(task.usage, task.cost);
  return (
    <section className="stack" aria-label="Run">
      <div>
        <div className="caps">Run</div>
        <p className="small">
          Started <Ago at={task.createdAt} /> {STARTED_BY[task.trigger] ?? `by ${task.trigger}`}, version{" "}
          {task.workflowVersion}
          {durationMs === null ? "" : `, took ${duration(durationMs)}`}.
        </p>
        {spent !== undefined && <p className="small">Models: {spent}.</p>}
        {task.parentTaskId !== undefined && (
          <p className="small">
            {task.trigger === "manual" ? "Replay of" : "Started by"}{" "}
            <Link href={`/runs/${task.parentTaskId}`}>
              {task.trigger === "manual" ? "an earlier run" : "another run"}
            </Link>{" "}
            · <Link href={`/runs/compare?a=${task.parentTaskId}&b=${task.id}`}>Compare</Link>
          </p>
        )}
        {!isWorkflowMissing && (
          <p className="small">
            <Link href={`/workflows/${task.workflowId}`}>Open workflow</Link>
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
          <StoredValue value={task.result.output ?? task.result.outputs} />
        </div>
      )}
      <div className="stack tight">
        <b className="small">Input</b>
        <JsonView value={task.input} />
      </div>
    </section>
  );
}
