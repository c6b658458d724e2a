import { Play } from "lucide-react";
import { useRef } from "react";
import { useLocation } from "wouter";
import { startRun } from "../../api/tasks.ts";
import { importTemplate } from "../../api/templates.ts";
import type { Template } from "../../api/types.ts";
import { useWorkflowMutation, useWorkflows } from "../../api/workflows.ts";
import { useStoredState } from "../../ui/stored-state.ts";
import { Failure } from "../../ui/states.tsx";
import "./workflows.css";
import { Allowed } from "../../ui/allowed.tsx";

/** A template that can be run or opened with one click. The second click finds the workflow of the first. */
export function StarterCard({ template }: { template: Template }) {
  const [, navigate] = useLocation();
  const { data: workflows } = useWorkflows();
  // The workflow that this browser created from the template.
  const [copyId, setCopyId] = useStoredState(`baton:copy-of:${template.id}`, "");
  const existing = workflows?.find(({ id }) => id === copyId);

  // A double click starts twice before the buttons are disabled.
  const importing = useRef<Promise<string>>(undefined);

  function copyOf(): Promise<string> {
    if (existing !== undefined) return Promise.resolve(existing.id);
    importing.current ??= importTemplate(template.id)
      .then(({ id }) => {
        setCopyId(id);
        return id;
      })
      .finally(() => (importing.current = undefined));
    return importing.current;
  }

  const run = useWorkflowMutation(
    async () => startRun(await copyOf(), {}),
    (taskId) => navigate(`/runs/${taskId}`),
  );
  const use = useWorkflowMutation(copyOf, (id) => navigate(`/workflows/${id}`));
  const busy = run.isPending || use.isPending || workflows === undefined;
  const error = run.error ?? use.error;
  return (
    <article className="card starter">
      <div>
        <h3>{template.name}</h3>
        <span className="xs muted">
          {template.steps.length} steps{existing === undefined ? "" : " · in your workflows"}
        </span>
      </div>
      <p>{template.description}</p>
      {error !== null && <Failure error={error} />}
      <Allowed to="importTemplate" otherwise={<StepNames template={template} />}>
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
      </Allowed>
    </article>
  );
}

/** For readers: what the template does. */
function StepNames({ template }: { template: Template }) {
  return (
    <details className="small">
      <summary>Steps</summary>
      <ul>
        {(template.steps as readonly { stepId: string; name?: string }[]).map(({ stepId, name }) => (
          <li key={stepId}>{name ?? stepId}</li>
        ))}
      </ul>
    </details>
  );
}
