const STEP_PARAMETER = "step";

/** The builder with one step selected: the run view links here from a failed step. */
export function builderLink(workflowId: string, stepId: string): string {
  return `/workflows/${workflowId}?${new URLSearchParams({ [STEP_PARAMETER]: stepId }).toString()}`;
}

export function linkedStepId(): string | null {
  return new URLSearchParams(location.search).get(STEP_PARAMETER);
}
