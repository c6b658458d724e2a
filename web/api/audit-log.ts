import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { AuditEvent } from "../../contract/audit.ts";
import { saveFile } from "../ui/save-file.ts";
import { ApiError } from "./api-error.ts";
import { authHeaders } from "./auth-token.ts";
import { checkErrorResponse, request } from "./client.ts";
import { type PagedList, pagingOf } from "./pages.ts";

export type { AuditEvent };

export interface AuditLogFilter {
  actor: string;
  action: string;
  target: string;
  from: string;
  to: string;
}

/** The log of the workspace, or that of the instance for administrators. */
export type LogOwner = "workspace" | "instance";

const PATHS: Record<LogOwner, string> = {
  workspace: "/api/audit-events",
  instance: "/api/admin/audit-events",
};

const PAGE_SIZE = "50";

function queryOf(filter: AuditLogFilter, more: Record<string, string>): string {
  const search = new URLSearchParams(more);
  const days = { from: filter.from && `${filter.from}T00:00:00Z`, to: filter.to && `${filter.to}T00:00:00Z` };
  for (const [name, value] of Object.entries({ ...filter, ...days }))
    if (value !== "") search.set(name, value);
  return search.toString();
}

export function useAuditEvents(owner: LogOwner, filter: AuditLogFilter): PagedList<AuditEvent> {
  const query = useInfiniteQuery({
    queryKey: ["auditLog", owner, filter],
    queryFn: ({ pageParam }) =>
      request(
        "auditLog",
        `${PATHS[owner]}?${queryOf(filter, { limit: PAGE_SIZE, ...(pageParam !== null && { cursor: pageParam }) })}`,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
    select: (data) => data.pages.flatMap(({ events }) => events),
  });
  return {
    data: query.data,
    error: query.error,
    refetch: query.refetch,
    ...pagingOf(query),
  };
}

export function useAuditVerification(owner: LogOwner) {
  return useQuery({
    queryKey: ["auditLog", owner, "verification"],
    queryFn: async () => (await request("auditVerification", `${PATHS[owner]}/verification`)).verification,
  });
}

export async function exportAuditLog(
  owner: LogOwner,
  filter: AuditLogFilter,
  format: "csv" | "ndjson",
): Promise<void> {
  const path = `${PATHS[owner]}/export?${queryOf(filter, { format })}`;
  const response = await fetch(path, { headers: authHeaders() });
  if (!response.ok) {
    await checkErrorResponse(response);
    throw new ApiError(response.status, { message: "The export failed. Try again." });
  }
  saveFile(await response.blob(), `audit-log.${format}`);
}
