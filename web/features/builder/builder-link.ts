import type { TriggerProposal } from "../../flow/trigger-proposal.ts";

const STEP_PARAMETER = "step";
const TRIGGER_PARAMETER = "trigger";

/** The builder with one step selected: the run view links here from a failed step. */
export function builderLink(workflowId: string, stepId: string): string {
  return `/workflows/${workflowId}?${new URLSearchParams({ [STEP_PARAMETER]: stepId }).toString()}`;
}

export function linkedStepId(): string | null {
  return new URLSearchParams(location.search).get(STEP_PARAMETER);
}

/** The state of the page that the builder opens with: not in the URL, so that no link can add a trigger. */
export function proposedTriggerState(trigger: TriggerProposal): object {
  return { proposedTrigger: trigger };
}

/** The trigger that the last page proposed; once, so that a reload does not propose it again. */
export function takeProposedTrigger(): TriggerProposal | undefined {
  const state = history.state as { proposedTrigger?: TriggerProposal } | null;
  if (state?.proposedTrigger !== undefined) history.replaceState(null, "");
  return state?.proposedTrigger;
}

/** The builder with one trigger open. */
export function triggerLink(workflowId: string, triggerId: string): string {
  return `/workflows/${workflowId}?${new URLSearchParams({ [TRIGGER_PARAMETER]: triggerId }).toString()}`;
}

export function linkedTriggerId(): string | null {
  return new URLSearchParams(location.search).get(TRIGGER_PARAMETER);
}
