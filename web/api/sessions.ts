import { useQuery } from "@tanstack/react-query";
import type { LogEntry, Session } from "../../contract/teams.ts";
import { request } from "./client.ts";
import { usePages } from "./pages.ts";

export type { LogEntry, Session };

const POLL_MS = 5000;

export function useSessionPages(teamId: string) {
  return usePages({ noun: "sessions", path: `/api/agent-teams/${teamId}/sessions` }, { pollMs: POLL_MS });
}

export function useSession(sessionId: string) {
  return useQuery({
    queryKey: ["session", sessionId],
    queryFn: () => request("session", `/api/agent-teams/sessions/${sessionId}`),
    select: (response) => response.session,
  });
}

/** Starts a session of the team and returns its id. */
export async function startSession(teamId: string, objective: string): Promise<string> {
  return (await request("startedSession", `/api/agent-teams/${teamId}/run`, { body: { objective } }))
    .sessionId;
}

export async function cancelSession(sessionId: string): Promise<void> {
  await request("session", `/api/agent-teams/sessions/${sessionId}/cancel`, { method: "POST" });
}
