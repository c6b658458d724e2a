const NAME = "step";

/** The builder with one step chosen: where a person goes from a run to mend what failed. */
export function builderLink(workflowId: string, stepId: string): string {
  return `/workflows/${workflowId}?${new URLSearchParams({ [NAME]: stepId }).toString()}`;
}

export function linkedStepId(): string | null {
  return new URLSearchParams(location.search).get(NAME);
}
