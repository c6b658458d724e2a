import { useMemo } from "react";
import { type AppDetails, useAppDetails } from "../../../api/apps.ts";
import { appSteps } from "../../../flow/app-problems.ts";
import type { Draft } from "../../../flow/draft.ts";

/** The apps that a workflow uses, as far as they are loaded. */
export function useAppsOf(draft: Draft): readonly AppDetails[] {
  const ids = [...new Set(appSteps(draft.steps).map(({ app }) => app))].toSorted().join(" ");
  return useAppDetails(useMemo(() => (ids === "" ? [] : ids.split(" ")), [ids]));
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
