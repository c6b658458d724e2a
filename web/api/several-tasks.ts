import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { isFinal, taskQuery } from "./tasks.ts";
import type { Task } from "./types.ts";

// Apart from tasks.ts, which Home loads: only the builder reads several tasks.

/** Several tasks in the order of their ids, without those that are still loading. */
export function useTasks(ids: readonly string[]): Task[] {
  return useQueries({
    queries: ids.map((id) => ({
      ...taskQuery(id),
      // A finished task never changes, so focusing the window does not refetch it.
      staleTime: ({ state }: { state: { data: Task | undefined } }) =>
        state.data !== undefined && isFinal(state.data.status) ? Infinity : 0,
    })),
    combine: loadedTasks,
  });
}

function loadedTasks(queries: UseQueryResult<Task>[]): Task[] {
  return queries.flatMap(({ data }) => data ?? []);
}
