import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FailureGroup, RecentRuns, Stats, StatsRange } from "../../contract/stats.ts";
import { request } from "./client.ts";

export type { FailureGroup, RecentRuns, Stats, StatsRange };

const POLL_MS = 30_000;

/** The health of all workflows or of one, compared with the range before. */
export function useStats(range: StatsRange, workflowId = "") {
  const search = new URLSearchParams({
    range,
    workflowId,
    utcOffset: String(-new Date().getTimezoneOffset()),
  });
  return useQuery({
    queryKey: ["tasks", "stats", range, workflowId],
    queryFn: async () => (await request("stats", `/api/stats?${search.toString()}`)).stats,
    refetchInterval: POLL_MS,
    // Another range keeps the charts in place until its numbers arrive.
    placeholderData: (previous: Stats | undefined) => previous,
  });
}

export function useFailures(range: StatsRange) {
  return useQuery({
    queryKey: ["tasks", "failures", range],
    queryFn: () => request("failures", `/api/stats/failures?range=${range}`),
    refetchInterval: POLL_MS,
    placeholderData: (previous: { ok: true; failures: FailureGroup[]; complete: boolean } | undefined) =>
      previous,
  });
}

/** The last 20 runs of each workflow, by its id. */
export function useRecentRuns(): ReadonlyMap<string, RecentRuns> | undefined {
  const { data } = useQuery({
    queryKey: ["tasks", "recent-runs"],
    queryFn: async () => (await request("recentRuns", "/api/stats/workflows")).workflows,
    refetchInterval: POLL_MS / 3,
  });
  return useMemo(() => data && new Map(data.map((each) => [each.workflowId, each])), [data]);
}
