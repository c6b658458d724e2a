import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Agent, CreateAgent } from "../../contract/agents.ts";
import type { DiscoveryEntry, LogEntry, Session, Team, Topology } from "../../contract/teams.ts";
import { call } from "./client.ts";

export type { Agent, DiscoveryEntry, LogEntry, Session, Team, Topology };

export function useAgents() {
  return useQuery({
    queryKey: ["agents"],
    queryFn: () => call<{ agents: Agent[] }>("/api/agents?limit=200"),
    select: (answer) => answer.agents,
  });
}

export function useTeams() {
  return useQuery({
    queryKey: ["teams"],
    queryFn: () => call<{ teams: Team[] }>("/api/agent-teams?limit=200"),
    select: (answer) => answer.teams,
  });
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

export function useSessions(teamId: string) {
  return useQuery({
    queryKey: ["team", teamId, "sessions"],
    queryFn: () => call<{ sessions: Session[] }>(`/api/agent-teams/${teamId}/sessions`),
    select: (answer) => answer.sessions,
    refetchInterval: 5000,
  });
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
  externalAgents: { name: string; capabilities: string[] }[];
  topology: Topology;
}

export async function createTeam(body: TeamInput): Promise<Team & { a2aSecret: string }> {
  return (await call<{ team: Team & { a2aSecret: string } }>("/api/agent-teams", { body })).team;
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
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (output) => then?.(output),
    onSettled: () => {
      for (const key of ["agents", "teams", "team", "session"])
        void client.invalidateQueries({ queryKey: [key] });
    },
  });
}
