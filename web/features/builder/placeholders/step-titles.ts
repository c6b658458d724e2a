import { createContext, useContext, useMemo } from "react";
import type { Step } from "../../../../contract/graph.ts";
import { stepTitle } from "../../../flow/step-summary.ts";

/** How the steps in sight are called, for the chips that name them. */
export const StepTitles = createContext<ReadonlyMap<string, string>>(new Map());

/** The titles around, and these. They change with every edit of a step, but not their map unless a title did. */
export function useTitles(steps: readonly Step[]): ReadonlyMap<string, string> {
  const around = useContext(StepTitles);
  const written = JSON.stringify(steps.map((step) => [step.stepId, stepTitle(step)]));
  return useMemo(
    () => new Map([...around, ...(JSON.parse(written) as [string, string][])]),
    [around, written],
  );
}
