import { type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { request } from "./client.ts";
import type { StepAttempt } from "./tasks.ts";
import type { StepResult } from "./types.ts";

/** The newest results of steps in one iteration of a loop, by step id; without those that have not run. */
export function useLoopResults(
  taskId: string | undefined,
  steps: readonly { stepId: string; type: string; path: string }[],
): ReadonlyMap<string, StepResult> {
  const results = useQueries({
    queries: steps.map(({ stepId, type, path }) => ({
      queryKey: ["attempts", taskId, path, "newest"],
      queryFn: async () => {
        const address = `/api/tasks/${taskId}/steps/${encodeURIComponent(path)}/attempts?limit=1`;
        const [attempt] = (await request("attempts", address)).attempts;
        return attempt === undefined ? null : resultOfAttempt(stepId, type, attempt);
      },
      enabled: taskId !== undefined,
      retry: false,
    })),
    combine: loadedResults,
  });
  return results;
}

/** The first item that failed in this result of a loop, from 0; undefined while none is known. */
export function useFailedItem(taskId: string | undefined, loop: StepResult | undefined): number | undefined {
  const path = loop?.stepId ?? "";
  const { data } = useQuery({
    queryKey: ["task", taskId, "failed-item", path, loop?.completedAt],
    queryFn: async () => {
      const address = `/api/tasks/${taskId}/steps/${encodeURIComponent(path)}/items?problems=true&limit=20`;
      const { items } = await request("loopItems", address);
      return items.find(({ status }) => status === "failed")?.index ?? null;
    },
    enabled: taskId !== undefined && loop?.status === "failed",
    retry: false,
  });
  return data ?? undefined;
}

function loadedResults(queries: UseQueryResult<StepResult | null>[]): ReadonlyMap<string, StepResult> {
  return new Map(
    queries.flatMap(({ data }) => (data === null || data === undefined ? [] : [[data.stepId, data]])),
  );
}

function resultOfAttempt(stepId: string, type: string, attempt: StepAttempt): StepResult {
  const { attempt: attempts, startedAt = null, completedAt, ...rest } = attempt;
  return {
    ...rest,
    stepId,
    type,
    attempts,
    startedAt,
    completedAt,
    durationMs: startedAt === null ? null : Date.parse(completedAt) - Date.parse(startedAt),
  };
}
