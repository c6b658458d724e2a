import { ArrowLeft, ArrowRight } from "lucide-react";
import type { Step } from "../../../../contract/graph.ts";
import type { Draft } from "../../../flow/draft.ts";
import { nodeIdIn } from "../../../flow/scopes.ts";
import { stepTitle } from "../../../../contract/graph/step-titles.ts";
import type { StepView } from "./step-view.ts";

/** Buttons to the steps before and after this one. */
export function PreviousNextSteps({ view: { data, onOpenNode } }: { view: StepView }) {
  const { before, after } = neighboursOf(data.graph, data.step.stepId);
  const open = (step: Step): void => onOpenNode(nodeIdIn(data.within, step.stepId));
  return (
    <div className="row previous-next-steps">
      {before !== undefined && (
        <button type="button" className="btn ghost tiny" onClick={() => open(before)}>
          <ArrowLeft size={13} aria-hidden /> <span className="visually-hidden">Previous step: </span>
          <span className="ellipsis">{stepTitle(before)}</span>
        </button>
      )}
      <span className="grow" />
      {after !== undefined && (
        <button type="button" className="btn ghost tiny" onClick={() => open(after)}>
          <span className="visually-hidden">Next step: </span>
          <span className="ellipsis">{stepTitle(after)}</span> <ArrowRight size={13} aria-hidden />
        </button>
      )}
    </div>
  );
}

/** Along the first line in each direction; without lines, in the order of the list. */
function neighboursOf(
  { steps, edges }: Draft,
  stepId: string,
): { before?: Step | undefined; after?: Step | undefined } {
  const find = (id: string | undefined) => steps.find((step) => step.stepId === id);
  if (edges.length > 0)
    return {
      before: find(edges.find((edge) => edge.target === stepId)?.source),
      after: find(edges.find((edge) => edge.source === stepId)?.target),
    };
  const at = steps.findIndex((step) => step.stepId === stepId);
  return { before: steps[at - 1], after: steps[at + 1] };
}
