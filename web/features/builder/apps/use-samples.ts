import { useMemo } from "react";
import { useAppDetails } from "../../../api/apps.ts";
import type { Draft } from "../../../flow/draft.ts";
import { innerSteps } from "../../../flow/inner-steps.ts";
import type { Step } from "../../../../contract/graph.ts";

/** What the `app` steps of a workflow usually return, by step id: known before the first run. */
export function useSamples(draft: Draft): ReadonlyMap<string, unknown> {
  const steps = useMemo(() => appSteps(draft.steps), [draft.steps]);
  const ids = useMemo(() => [...new Set(steps.map(({ app }) => app))], [steps]);
  const apps = useAppDetails(ids);
  return useMemo(() => {
    const samples = steps.flatMap(({ stepId, app, action }): [string, unknown][] => {
      const found = apps.find(({ id }) => id === app)?.actions.find(({ id }) => id === action);
      return found?.sample === undefined ? [] : [[stepId, found.sample]];
    });
    return new Map(samples);
  }, [steps, apps]);
}

interface AppStep {
  stepId: string;
  app: string;
  action: unknown;
}

function appSteps(steps: readonly Step[]): AppStep[] {
  return steps.flatMap((step) => [
    ...(step.type === "app" && typeof step["app"] === "string"
      ? [{ stepId: step.stepId, app: step["app"], action: step["action"] }]
      : []),
    ...appSteps(innerSteps(step)),
  ]);
}
