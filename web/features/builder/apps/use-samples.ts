import { useMemo } from "react";
import { type AppDetails, useAppDetails } from "../../../api/apps.ts";
import { appSteps } from "../../../flow/app-problems.ts";
import type { Draft } from "../../../flow/draft.ts";

/** The apps that a workflow uses, as far as they are loaded. */
export function useAppsOf(draft: Draft): readonly AppDetails[] {
  const used = new Map<string, Set<string>>();
  for (const { step, app } of appSteps(draft.steps))
    used.set(app, (used.get(app) ?? new Set<string>()).add(String(step["action"])));
  const key = JSON.stringify(
    [...used]
      .map(([id, actions]) => ({ id, actions: [...actions].toSorted() }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
  return useAppDetails(useMemo(() => JSON.parse(key) as { id: string; actions: string[] }[], [key]));
}

/** What the `app` steps of a workflow usually return, by step id: known before the first run. */
export function useSamples(draft: Draft): ReadonlyMap<string, unknown> {
  const apps = useAppsOf(draft);
  return useMemo(() => {
    const samples = appSteps(draft.steps).flatMap(({ step, app }): [string, unknown][] => {
      const found = apps.find(({ id }) => id === app)?.actions.find(({ id }) => id === step["action"]);
      return found?.sample === undefined ? [] : [[step.stepId, found.sample]];
    });
    return new Map(samples);
  }, [draft.steps, apps]);
}
