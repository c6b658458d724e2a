import { X } from "lucide-react";
import { connect, type Draft, edgeKey, removeEdges } from "../../../flow/draft.ts";
import { edgeLabel } from "../../../flow/edge-label.ts";
import { stepTitle } from "../../../../contract/graph/step-titles.ts";
import { Field } from "../../../ui/field.tsx";
import type { Edit } from "../use-draft.ts";

/** The outgoing edges of a step as a list: the keyboard alternative to drawing edges on the canvas. */
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
  const source = draft.steps.find((entry) => entry.stepId === stepId);
  const outgoing = draft.edges
    .map((edge, index) => ({ edge, key: edgeKey(edge, index) }))
    .filter(({ edge }) => edge.source === stepId);
  const unconnected = draft.steps.filter(
    (step) => step.stepId !== stepId && !outgoing.some(({ edge }) => edge.target === step.stepId),
  );
  return (
    <div className="stack tight">
      {outgoing.map(({ edge, key }) => (
        <div key={key} className="row edge-row">
          <button type="button" className="btn ghost tiny grow ellipsis" onClick={() => onOpen(key)}>
            → {title(edge.target)}
            {edgeLabel(edge, source) !== undefined && <span className="chip">{edgeLabel(edge, source)}</span>}
          </button>
          <button
            type="button"
            className="btn ghost icon"
            aria-label={`Delete edge to ${title(edge.target)}`}
            onClick={() => edit((now) => removeEdges(now, new Set([key])))}
          >
            <X size={14} />
          </button>
        </div>
      ))}
      {unconnected.length > 0 && (
        <Field label="Next step">
          {(ids) => (
            <select
              className="in"
              {...ids}
              value=""
              onChange={(event) => edit((now) => connect(now, stepId, event.target.value))}
            >
              <option value="">Connect to…</option>
              {unconnected.map((step) => (
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
