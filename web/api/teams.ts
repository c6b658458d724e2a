import { useQuery } from "@tanstack/react-query";
import type {
  DiscoveryEntry,
  NewTeam,
  Team,
  TeamLimits,
  Topology,
  UpdateTeam,
} from "../../contract/teams.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { usePages } from "./pages.ts";
import type { Responses } from "./responses.ts";

export type { DiscoveryEntry, Team, TeamLimits, Topology };
export type TeamWithSecret = Responses["teamWithSecret"]["team"];

export function useTeamPages() {
  return usePages({ noun: "teams", path: "/api/agent-teams" });
}

export function useTeam(id: string) {
  return useQuery({
    queryKey: ["team", id],
    queryFn: () => request("team", `/api/agent-teams/${id}`),
    select: (response) => response.team,
  });
}

/** The members of a team with their capabilities. */
export function useDiscovery(teamId: string) {
  return useQuery({
    queryKey: ["team", teamId, "discovery"],
    queryFn: () => request("discovery", `/api/agent-teams/${teamId}/discovery`),
    select: (response) => response.discovery,
  });
}

export async function createTeam(body: NewTeam): Promise<TeamWithSecret> {
  return (await request("teamWithSecret", "/api/agent-teams", { body })).team;
}

export async function updateTeam(id: string, body: UpdateTeam): Promise<Team> {
  return (await request("team", `/api/agent-teams/${id}`, { method: "PATCH", body })).team;
}

/** Returns the new secret; the service never shows it again. */
export async function rotateTeamSecret(id: string): Promise<string> {
  const { team } = await request("teamWithSecret", `/api/agent-teams/${id}/rotate-secret`, {
    method: "POST",
  });
  return team.a2aSecret;
}

/** What an address serves: an A2A agent with a card, or a plain webhook. */
export async function findAgentCard(url: string): Promise<Responses["agentCard"]> {
  return request("agentCard", "/api/agent-teams/agent-card", { body: { url } });
}

/** Returns the secret with which one external agent calls the team; the service never shows it again. */
export async function createAgentSecret(teamId: string, name: string): Promise<string> {
  const path = `/api/agent-teams/${teamId}/external-agents/${encodeURIComponent(name)}/secret`;
  return (await request("externalAgentSecret", path, { method: "POST" })).secret;
}

export async function deleteTeam(id: string): Promise<void> {
  await request("ok", `/api/agent-teams/${id}`, { method: "DELETE" });
}

/** The URL to which external agents of the team post their messages. */
export function a2aWebhookUrl(teamId: string): string {
  return `${location.origin}/webhook/a2a/${teamId}`;
}

export function useTeamMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["agents", "teams", "team", "sessions", "session"], mutate, onSuccess);
}
