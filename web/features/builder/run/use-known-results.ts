import { useMemo } from "react";
import { useRecentTasks, useTasks } from "../../../api/tasks.ts";
import { isFullRun, type KnownResults, knownResults, type Pins } from "../../../flow/known-results.ts";

/** So many runs of single steps are looked back over for the whole run before them. */
const LOOKED_BACK = 20;

/** What this workflow's runs have shown of its steps; the run that was started here counts from its beginning. */
export function useKnownResults(workflowId: string, runId: string | undefined, pins: Pins): KnownResults {
  const recent = useRecentTasks({ workflowId, limit: LOOKED_BACK }).data?.tasks ?? [];
  const whole = recent.findIndex(isFullRun);
  const listed = (whole < 0 ? recent : recent.slice(0, whole + 1)).map(({ id }) => id);
  const tasks = useTasks(runId === undefined ? listed : [runId, ...listed.filter((id) => id !== runId)]);
  return useMemo(() => knownResults(tasks, pins), [tasks, pins]);
}
