import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import type { AppDetails, AppField, AppSummary } from "../../contract/apps.ts";
import { request } from "./client.ts";

export type { AppDetails, AppField, AppSummary };

/** Apps change with the service; `connected` changes with the connections, which invalidate it. */
const STALE_MS = 300_000;

export function useApps(enabled = true) {
  return useQuery({
    queryKey: ["app catalogue"],
    queryFn: async () => (await request("appList", "/api/apps")).apps,
    staleTime: STALE_MS,
    enabled,
  });
}

const details = (id: string) => ({
  queryKey: ["app catalogue", id],
  queryFn: async () => (await request("app", `/api/apps/${encodeURIComponent(id)}`)).app,
  staleTime: STALE_MS,
  retry: false,
});

export function useApp(id: string | undefined) {
  return useQuery({ ...details(id ?? ""), enabled: id !== undefined && id !== "" });
}

/** The apps with these ids that are loaded so far. */
export function useAppDetails(ids: readonly string[]): AppDetails[] {
  return useQueries({ queries: ids.map(details), combine: loadedApps });
}

function loadedApps(results: readonly { data: AppDetails | undefined }[]): AppDetails[] {
  return results.flatMap(({ data }) => data ?? []);
}

export interface OptionsQuery {
  app: string;
  options: string;
  connection: string;
  input: Readonly<Record<string, unknown>>;
  search: string;
}

/** The choices of a field, from the app itself. Undefined asks nothing. */
export function useAppOptions(query: OptionsQuery | undefined) {
  const list = useInfiniteQuery({
    queryKey: ["app options", query],
    queryFn: ({ pageParam }) => {
      const { app, search, ...body } = query!;
      return request("appOptions", `/api/apps/${encodeURIComponent(app)}/options`, {
        body: {
          ...body,
          ...(search === "" ? {} : { search }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
      });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: query !== undefined,
    staleTime: STALE_MS,
    retry: false,
    select: ({ pages }) => pages.flatMap(({ options }) => options),
  });
  return {
    options: list.data,
    error: list.error,
    isLoading: list.isLoading,
    refetch: list.refetch,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    loadMore: () => void list.fetchNextPage({ cancelRefetch: false }),
  };
}
