import { CircleCheck, TriangleAlert } from "lucide-react";
import type { Validation } from "../../../../contract/graph.ts";
import { LazyPopover } from "../../../ui/lazy-popover.tsx";

/** A pasted graph can have thousands of problems; the first ones are enough to start with. */
const MAX_SHOWN = 50;

/** Errors and warnings of the draft; a click selects the step. */
export function ProblemList({
  validation,
  onOpen,
}: {
  validation: Validation;
  onOpen: (stepId: string) => void;
}) {
  const all = [...validation.errors, ...validation.warnings];
  const { errors, warnings } = validation;
  return (
    <LazyPopover
      label="Problems"
      side="top"
      className="problems"
      trigger={
        <button type="button" className="btn ghost tiny" disabled={all.length === 0}>
          {errors.length > 0 ? <TriangleAlert size={14} className="bad-ink" /> : <CircleCheck size={14} />}
          {errors.length > 0
            ? `${errors.length} ${errors.length === 1 ? "problem" : "problems"}`
            : "No problems"}
          {warnings.length > 0 && (
            <span className="muted">
              {warnings.length} {warnings.length === 1 ? "warning" : "warnings"}
            </span>
          )}
        </button>
      }
    >
      <ul className="plain-list">
        {all.slice(0, MAX_SHOWN).map((problem, index) => (
          <li key={index}>
            <button
              type="button"
              className="problem"
              onClick={() => problem.stepId !== undefined && onOpen(problem.stepId)}
            >
              <span className={`chip ${index < errors.length ? "bad" : "wait"}`}>
                {index < errors.length ? "error" : "warning"}
              </span>
              <span>{problem.message}</span>
            </button>
          </li>
        ))}
      </ul>
    </LazyPopover>
  );
}
