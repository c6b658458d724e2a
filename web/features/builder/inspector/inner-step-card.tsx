import { ArrowDown, ArrowUp, Trash2, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Step } from "../../../../contract/graph.ts";
import { stepSummary, stepTitle } from "../../../flow/step-summary.ts";
import { stepIcon } from "../../canvas/step-icons.ts";

interface InnerStepCardProps {
  step: Step;
  isFirst: boolean;
  isLast: boolean;
  isOpen: boolean;
  hasProblem: boolean;
  onToggle: (isOpen: boolean) => void;
  onMove: (by: -1 | 1) => void;
  onDelete: () => void;
  settings: () => ReactNode;
  policy: () => ReactNode;
}

/** One step of a loop: a summary line that opens to its form. */
export function InnerStepCard({ step, isOpen, hasProblem, onToggle, ...card }: InnerStepCardProps) {
  const Icon = stepIcon(step.type);
  const title = stepTitle(step);
  return (
    <details
      className="card flat fold"
      open={isOpen}
      onToggle={(event) => {
        // The toggle event of a nested loop bubbles up to here.
        if (event.target === event.currentTarget) onToggle(event.currentTarget.open);
      }}
    >
      <summary className="small">
        <Icon size={14} aria-hidden />
        <b>{title}</b>
        <span className="muted ellipsis grow">{stepSummary(step)}</span>
        {hasProblem && <TriangleAlert size={14} className="bad-ink" role="img" aria-label="Has problems" />}
      </summary>
      {isOpen && (
        <div className="stack">
          <div className="row">
            <button
              type="button"
              className="btn ghost icon"
              aria-label={`Move ${title} up`}
              disabled={card.isFirst}
              onClick={() => card.onMove(-1)}
            >
              <ArrowUp size={14} />
            </button>
            <button
              type="button"
              className="btn ghost icon"
              aria-label={`Move ${title} down`}
              disabled={card.isLast}
              onClick={() => card.onMove(1)}
            >
              <ArrowDown size={14} />
            </button>
            <span className="grow" />
            <button
              type="button"
              className="btn tiny danger"
              aria-label={`Delete ${title}`}
              onClick={card.onDelete}
            >
              <Trash2 size={13} /> Delete
            </button>
          </div>
          {card.settings()}
          <details>
            <summary className="small">Retries</summary>
            <div className="stack">{card.policy()}</div>
          </details>
        </div>
      )}
    </details>
  );
}
