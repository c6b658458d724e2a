import { useQuery } from "@tanstack/react-query";
import type {
  CreateMcpServer,
  FinishAuthorization,
  McpServer,
  McpServerTest,
  UpdateMcpServer,
} from "../../contract/mcp-servers.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { useAll, usePages } from "./pages.ts";
import { useMay } from "./permissions.ts";

export type { McpServer, McpServerTest };

const source = { noun: "servers", path: "/api/mcp-servers", operation: "listMcpServers" } as const;
const pathOf = (id: string): string => `${source.path}/${encodeURIComponent(id)}`;

export function useMcpServers() {
  return useAll(source);
}

export function useMcpServerPages() {
  return usePages(source);
}

/** What a server offers. The service asks the server, so nothing is asked without an id. */
export function useMcpTools(serverId: string | undefined) {
  const may = useMay();
  return useQuery({
    queryKey: ["servers", serverId, "tools"],
    queryFn: async () => (await request("mcpTools", `${pathOf(serverId ?? "")}/tools`)).tools,
    enabled: serverId !== undefined && may("listMcpTools"),
    retry: false,
  });
}

export function useMcpResources(serverId: string | undefined) {
  const may = useMay();
  return useQuery({
    queryKey: ["servers", serverId, "resources"],
    queryFn: async () => (await request("mcpResources", `${pathOf(serverId ?? "")}/resources`)).resources,
    enabled: serverId !== undefined && may("listMcpResources"),
    retry: false,
  });
}

export function useMcpPrompts(serverId: string | undefined) {
  const may = useMay();
  return useQuery({
    queryKey: ["servers", serverId, "prompts"],
    queryFn: async () => (await request("mcpPrompts", `${pathOf(serverId ?? "")}/prompts`)).prompts,
    enabled: serverId !== undefined && may("listMcpPrompts"),
    retry: false,
  });
}

/** The programs that the operator allows; empty for anyone but the administrator. */
export function useStdioServers() {
  return useQuery({
    queryKey: ["stdio servers"],
    queryFn: async () => (await request("stdioServers", `${source.path}/stdio`)).names,
  });
}

export function useMcpServerUses(id: string) {
  return useQuery({
    queryKey: ["servers", id, "uses"],
    queryFn: () => request("serverUses", `${pathOf(id)}/used-by`),
  });
}

export async function createMcpServer(body: CreateMcpServer): Promise<McpServer> {
  return (await request("server", source.path, { body })).server;
}

export async function updateMcpServer(id: string, body: UpdateMcpServer): Promise<McpServer> {
  return (await request("server", pathOf(id), { method: "PATCH", body })).server;
}

export async function deleteMcpServer(id: string): Promise<void> {
  await request("ok", pathOf(id), { method: "DELETE" });
}

export async function testMcpServer(id: string): Promise<McpServerTest> {
  return (await request("serverTest", `${pathOf(id)}/test`, { body: {} })).test;
}

/** The address where the user signs in. */
export async function authorizeMcpServer(id: string): Promise<string> {
  return (await request("authorizeServer", `${pathOf(id)}/authorize`, { body: {} })).authorizationUrl;
}

export async function disconnectMcpServer(id: string): Promise<McpServer> {
  return (await request("server", `${pathOf(id)}/disconnect`, { body: {} })).server;
}

export async function finishMcpAuthorization(body: FinishAuthorization): Promise<McpServer> {
  return (await request("server", `${source.path}/callback`, { body })).server;
}

export function useMcpServerMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["servers"], mutate, onSuccess);
}
