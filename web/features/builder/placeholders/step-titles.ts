import { createContext, useContext, useMemo } from "react";
import type { Step } from "../../../../contract/graph.ts";
import { stepTitle } from "../../../flow/step-summary.ts";

/** Titles of the steps that placeholders can name here; chips show them. */
export const StepTitles = createContext<ReadonlyMap<string, string>>(new Map());

/** Adds `steps` to the titles of the context. The map keeps its identity until a title changes, so chips do not re-render on every edit. */
export function useTitles(steps: readonly Step[]): ReadonlyMap<string, string> {
  const outer = useContext(StepTitles);
  const serialized = JSON.stringify(steps.map((step) => [step.stepId, stepTitle(step)]));
  return useMemo(
    () => new Map([...outer, ...(JSON.parse(serialized) as [string, string][])]),
    [outer, serialized],
  );
}
