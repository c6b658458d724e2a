import { useQuery } from "@tanstack/react-query";
import type { Agent, CreateAgent } from "../../contract/agents.ts";
import type {
  DiscoveryEntry,
  ExternalAgent,
  LogEntry,
  Session,
  Team,
  Topology,
} from "../../contract/teams.ts";
import { useChange } from "./change.ts";
import { call } from "./client.ts";
import { useAll, usePages } from "./pages.ts";

export type { Agent, DiscoveryEntry, ExternalAgent, LogEntry, Session, Team, Topology };

const agents = { noun: "agents", path: "/api/agents" };

export function useAgents() {
  return useAll<Agent>(agents);
}

export function useAgentPages() {
  return usePages<Agent>(agents);
}

export function useTeamPages() {
  return usePages<Team>({ noun: "teams", path: "/api/agent-teams" });
}

export function useTeam(id: string) {
  return useQuery({
    queryKey: ["team", id],
    queryFn: () => call<{ team: Team }>(`/api/agent-teams/${id}`),
    select: (answer) => answer.team,
  });
}

export function useDiscovery(teamId: string) {
  return useQuery({
    queryKey: ["team", teamId, "discovery"],
    queryFn: () => call<{ discovery: DiscoveryEntry[] }>(`/api/agent-teams/${teamId}/discovery`),
    select: (answer) => answer.discovery,
  });
}

export function useSessionPages(teamId: string) {
  return usePages<Session>(
    { noun: "sessions", path: `/api/agent-teams/${teamId}/sessions` },
    { watchMs: 5000 },
  );
}

export function useSession(sessionId: string) {
  return useQuery({
    queryKey: ["session", sessionId],
    queryFn: () => call<{ session: Session }>(`/api/agent-teams/sessions/${sessionId}`),
    select: (answer) => answer.session,
  });
}

export interface TeamInput {
  name: string;
  description: string;
  agents: string[];
  externalAgents: ExternalAgent[];
  topology: Topology;
}

export async function createTeam(body: TeamInput): Promise<Team & { a2aSecret: string }> {
  return (await call<{ team: Team & { a2aSecret: string } }>("/api/agent-teams", { body })).team;
}

export async function changeTeam(id: string, body: TeamInput): Promise<Team> {
  return (await call<{ team: Team }>(`/api/agent-teams/${id}`, { method: "PATCH", body })).team;
}

export async function runTeam(teamId: string, objective: string): Promise<string> {
  return (await call<{ sessionId: string }>(`/api/agent-teams/${teamId}/run`, { body: { objective } }))
    .sessionId;
}

export async function createAgent(body: CreateAgent): Promise<Agent> {
  return (await call<{ agent: Agent }>("/api/agents", { body })).agent;
}

/** A change to agents or teams; whatever shows them reads them anew. */
export function useTeamChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  then?: (output: Output) => void,
) {
  return useChange(["agents", "teams", "team", "sessions", "session"], change, then);
}
