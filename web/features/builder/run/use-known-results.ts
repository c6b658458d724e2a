import { useMemo } from "react";
import { useRecentTasks, useTasks } from "../../../api/tasks.ts";
import { isFullRun, type KnownResults, knownResults, type Pins } from "../../../flow/known-results.ts";

/** How many recent runs to search for the last full run; the partial runs after it are used too. */
const MAX_RUNS = 20;

/** The latest result of each step. The run started here counts as the newest one while it is still running. */
export function useKnownResults(workflowId: string, runId: string | undefined, pins: Pins): KnownResults {
  const recent = useRecentTasks({ workflowId, limit: MAX_RUNS }).data?.tasks ?? [];
  const fullRun = recent.findIndex(isFullRun);
  const listed = (fullRun < 0 ? recent : recent.slice(0, fullRun + 1)).map(({ id }) => id);
  const tasks = useTasks(runId === undefined ? listed : [runId, ...listed.filter((id) => id !== runId)]);
  return useMemo(() => knownResults(tasks, pins), [tasks, pins]);
}
