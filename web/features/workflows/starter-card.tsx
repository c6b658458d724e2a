import { Play } from "lucide-react";
import { Link } from "wouter";
import type { Template } from "../../api/types.ts";
import { needsSetup } from "../../flow/template-needs.ts";
import { Allowed } from "../../ui/allowed.tsx";
import { Failure } from "../../ui/states.tsx";
import { NeedChips } from "../templates/need-chips.tsx";
import { useCopy } from "../templates/use-copy.ts";
import "./workflows.css";

/** A template with what it needs. One that needs nothing runs with one click. */
export function StarterCard({ template }: { template: Template }) {
  const { existing, isLoading, run } = useCopy(template);
  const { id, name, description, steps } = template;
  const href = `/templates/${id}`;
  return (
    <article className="card starter">
      <div>
        <h3>
          <Link href={href}>{name}</Link>
        </h3>
        <span className="xs muted">
          {steps.length} {steps.length === 1 ? "step" : "steps"}
          {existing !== undefined && (
            <>
              {" · "}
              <Link href={`/workflows/${existing.id}`} aria-label={`Open your workflow ${existing.name}`}>
                in your workflows
              </Link>
            </>
          )}
        </span>
      </div>
      <p>{description}</p>
      <NeedChips template={template} />
      {run.error !== null && <Failure error={run.error} />}
      <div className="row">
        {!needsSetup(template) && (
          <Allowed to="importTemplate">
            <button
              type="button"
              className="btn go"
              disabled={run.isPending || isLoading}
              onClick={() => run.mutate(undefined)}
              aria-label={`Run ${name}`}
            >
              <Play size={14} /> Run
            </button>
          </Allowed>
        )}
        <Link href={href} className="btn" aria-label={`Preview ${name}`}>
          Preview
        </Link>
      </div>
    </article>
  );
}
