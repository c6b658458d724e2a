import { useQuery } from "@tanstack/react-query";
import type { Agent, CreateAgent, UpdateAgent } from "../../contract/agents.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { useAll, usePages } from "./pages.ts";

export type { Agent };

const source = { noun: "agents", path: "/api/agents" } as const;

export function useAgents() {
  return useAll(source);
}

export function useAgent(id: string) {
  return useQuery({
    queryKey: ["agents", id],
    queryFn: async () => (await request("agent", `/api/agents/${id}`)).agent,
  });
}

export function useAgentPages() {
  return usePages(source);
}

/** The configured language models. */
export function useModels() {
  return useQuery({
    queryKey: ["models"],
    queryFn: () => request("models", "/api/models"),
    select: (response) => response.models,
  });
}

export async function createAgent(body: CreateAgent): Promise<Agent> {
  return (await request("agent", "/api/agents", { body })).agent;
}

export async function updateAgent(id: string, body: UpdateAgent): Promise<Agent> {
  return (await request("agent", `/api/agents/${id}`, { method: "PATCH", body })).agent;
}

export async function deleteAgent(id: string): Promise<void> {
  await request("ok", `/api/agents/${id}`, { method: "DELETE" });
}

export function useAgentMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["agents", "teams", "team", "sessions", "session"], mutate, onSuccess);
}
