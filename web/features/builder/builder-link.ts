const STEP_PARAMETER = "step";
const TRIGGER_PARAMETER = "trigger";

/** The builder with one step selected: the run view links here from a failed step. */
export function builderLink(workflowId: string, stepId: string): string {
  return `/workflows/${workflowId}?${new URLSearchParams({ [STEP_PARAMETER]: stepId }).toString()}`;
}

export function linkedStepId(): string | null {
  return new URLSearchParams(location.search).get(STEP_PARAMETER);
}

/** The builder with one trigger open. */
export function triggerLink(workflowId: string, triggerId: string): string {
  return `/workflows/${workflowId}?${new URLSearchParams({ [TRIGGER_PARAMETER]: triggerId }).toString()}`;
}

export function linkedTriggerId(): string | null {
  return new URLSearchParams(location.search).get(TRIGGER_PARAMETER);
}
