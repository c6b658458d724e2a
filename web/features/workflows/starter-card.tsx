import { Play } from "lucide-react";
import { useLocation } from "wouter";
import { startRun } from "../../api/tasks.ts";
import { importTemplate } from "../../api/templates.ts";
import type { Template } from "../../api/types.ts";
import { useWorkflowMutation } from "../../api/workflows.ts";
import { Failure } from "../../ui/states.tsx";
import "./workflows.css";

/** A template that can be run or opened with one click. */
export function StarterCard({ template }: { template: Template }) {
  const [, navigate] = useLocation();
  const run = useWorkflowMutation(
    async () => startRun((await importTemplate(template.id)).id, {}),
    (taskId) => navigate(`/runs/${taskId}`),
  );
  const use = useWorkflowMutation(
    () => importTemplate(template.id),
    ({ id }) => navigate(`/workflows/${id}`),
  );
  const busy = run.isPending || use.isPending;
  const error = run.error ?? use.error;
  return (
    <article className="card starter">
      <div>
        <h3>{template.name}</h3>
        <span className="xs muted">{template.steps.length} steps</span>
      </div>
      <p>{template.description}</p>
      {error !== null && <Failure error={error} />}
      <div className="row">
        <button
          type="button"
          className="btn go"
          disabled={busy}
          onClick={() => run.mutate(undefined)}
          aria-label={`Run ${template.name}`}
        >
          <Play size={14} /> Run
        </button>
        <button
          type="button"
          className="btn ghost"
          disabled={busy}
          onClick={() => use.mutate(undefined)}
          aria-label={`Open ${template.name}`}
        >
          Open
        </button>
      </div>
    </article>
  );
}
