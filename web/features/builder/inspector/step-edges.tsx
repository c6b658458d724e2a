import { X } from "lucide-react";
import { connect, type Draft, edgeKey, edgeLabel, removeEdges } from "../../../flow/draft.ts";
import { stepTitle } from "../../../flow/step-summary.ts";
import { Field } from "../../../ui/field.tsx";
import type { Edit } from "../use-draft.ts";

/** The lines of one step as a list: what a mouse does on the canvas, a keyboard does here. */
export function StepEdges({
  draft,
  stepId,
  edit,
  onOpen,
}: {
  draft: Draft;
  stepId: string;
  edit: Edit;
  onOpen: (edge: string) => void;
}) {
  const title = (id: string): string => {
    const step = draft.steps.find((entry) => entry.stepId === id);
    return step === undefined ? id : stepTitle(step);
  };
  const links = draft.edges
    .map((edge, index) => ({ edge, key: edgeKey(edge, index) }))
    .filter(({ edge }) => edge.source === stepId);
  const free = draft.steps.filter(
    (step) => step.stepId !== stepId && !links.some(({ edge }) => edge.target === step.stepId),
  );
  return (
    <div className="stack tight">
      {links.map(({ edge, key }) => (
        <div key={key} className="row link-row">
          <button type="button" className="btn ghost tiny grow ellipsis" onClick={() => onOpen(key)}>
            → {title(edge.target)}
            {edgeLabel(edge) !== undefined && <span className="chip">{edgeLabel(edge)}</span>}
          </button>
          <button
            type="button"
            className="btn ghost icon"
            aria-label={`Remove the line to ${title(edge.target)}`}
            onClick={() => edit((now) => removeEdges(now, new Set([key])))}
          >
            <X size={14} />
          </button>
        </div>
      ))}
      {free.length > 0 && (
        <Field label="Goes on to">
          {(ids) => (
            <select
              className="in"
              {...ids}
              value=""
              onChange={(event) => edit((now) => connect(now, stepId, event.target.value))}
            >
              <option value="">Draw a line to …</option>
              {free.map((step) => (
                <option key={step.stepId} value={step.stepId}>
                  {stepTitle(step)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </div>
  );
}
