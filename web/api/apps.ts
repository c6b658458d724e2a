import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import type { AppDetails, AppField, AppSummary } from "../../contract/apps.ts";
import { request } from "./client.ts";
import { pagingOf } from "./pages.ts";
import { useMay } from "./permissions.ts";

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

/** An app that was made from an OpenAPI document. It may have a thousand actions: only those that are needed are loaded. */
export function isOwnApp(id: string): boolean {
  return id.startsWith("api_");
}

/** Names no action. */
const NO_ACTION = "-";

const details = ({ id, actions }: { id: string; actions?: readonly string[] | undefined }) => {
  const chosen = isOwnApp(id) && actions !== undefined ? actions.join(",") || NO_ACTION : "";
  const query = chosen === "" ? "" : `?actions=${encodeURIComponent(chosen)}`;
  return {
    queryKey: ["app catalogue", id, chosen],
    queryFn: async () => (await request("app", `/api/apps/${encodeURIComponent(id)}${query}`)).app,
    staleTime: STALE_MS,
    retry: false,
  };
};

/** `actions`: those that are needed; by default all. */
export function useApp(id: string | undefined, actions?: readonly string[]) {
  return useQuery({ ...details({ id: id ?? "", actions }), enabled: id !== undefined && id !== "" });
}

/** Those of these apps that are loaded so far. */
export function useAppDetails(
  apps: readonly { id: string; actions?: readonly string[] | undefined }[],
): AppDetails[] {
  return useQueries({ queries: apps.map(details), combine: loadedApps });
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
  const may = useMay();
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
    enabled: query !== undefined && may("listAppOptions"),
    staleTime: STALE_MS,
    retry: false,
    select: ({ pages }) => pages.flatMap(({ options }) => options),
  });
  return {
    options: list.data,
    error: list.error,
    isLoading: list.isLoading,
    refetch: list.refetch,
    ...pagingOf(list),
  };
}
