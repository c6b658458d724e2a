import { createContext, useContext, useMemo } from "react";
import type { Step } from "../../../../contract/graph.ts";
import { stepTitle } from "../../../flow/step-summary.ts";

/** Titles of the steps that placeholders can name here; chips show them. */
export const StepTitles = createContext<ReadonlyMap<string, string>>(new Map());

/** Adds `steps` to the titles of the context. The map keeps its identity until a title changes. */
export function useTitles(steps: readonly Step[]): ReadonlyMap<string, string> {
  const outer = useContext(StepTitles);
  // Compared as text, because `steps` is a new array after every edit; a new map would render all chips again.
  const serialized = JSON.stringify(steps.map((step) => [step.stepId, stepTitle(step)]));
  return useMemo(
    () => new Map([...outer, ...(JSON.parse(serialized) as [string, string][])]),
    [outer, serialized],
  );
}
