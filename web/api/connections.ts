import { useQuery } from "@tanstack/react-query";
import type {
  Connection,
  ConnectionTest,
  ConnectionUsages,
  CreateConnection,
  FinishConnection,
  OauthClient,
  PutOauthClient,
  UpdateConnection,
} from "../../contract/connections.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { useAll } from "./pages.ts";
import type { ItemOf } from "./responses.ts";

export type { Connection, ConnectionTest, OauthClient };
/** With the number of records that use it. */
export type ListedConnection = ItemOf<"connections">;
export type ConnectionDetails = Connection & { usedBy: ConnectionUsages };

const source = { noun: "connections", path: "/api/connections", operation: "listConnections" } as const;
const pathOf = (id: string): string => `${source.path}/${encodeURIComponent(id)}`;

export function useConnections() {
  return useAll(source);
}

/** With what uses it. */
export function useConnection(id: string | undefined) {
  return useQuery({
    queryKey: ["connections", id],
    queryFn: async () => (await request("connectionDetails", pathOf(id ?? ""))).connection,
    enabled: id !== undefined,
  });
}

export async function createConnection(body: CreateConnection): Promise<Connection> {
  return (await request("connection", source.path, { body })).connection;
}

export async function updateConnection(id: string, body: UpdateConnection): Promise<Connection> {
  return (await request("connection", pathOf(id), { method: "PATCH", body })).connection;
}

/** `force` deletes it although workflows use it. */
export async function deleteConnection(id: string, force: boolean): Promise<void> {
  await request("ok", `${pathOf(id)}${force ? "?force=true" : ""}`, { method: "DELETE" });
}

export function testConnection(id: string): Promise<ConnectionTest> {
  return request("connectionTest", `${pathOf(id)}/test`, { body: {} });
}

/** Tests what was entered, before it is saved. */
export function testNewConnection(body: CreateConnection): Promise<ConnectionTest> {
  return request("connectionTest", `${source.path}/test`, { body });
}

/** The address where the user signs in. */
export async function authorizeConnection(id: string): Promise<string> {
  return (await request("authorizeConnection", `${pathOf(id)}/authorize`, { body: {} })).authorizationUrl;
}

export async function finishConnection(body: FinishConnection): Promise<Connection> {
  return (await request("connection", `${source.path}/finish`, { body })).connection;
}

/** The OAuth clients of the instance, which its administrators enter; read in a workspace in which the person is a builder. */
export function useOauthClients(workspaceId?: string) {
  return useQuery({
    queryKey: ["oauth clients"],
    queryFn: () =>
      request("oauthClients", "/api/oauth-clients", {
        headers: workspaceId === undefined ? undefined : { "x-workspace": workspaceId },
      }),
  });
}

export async function putOauthClient(app: string, body: PutOauthClient): Promise<void> {
  await request("ok", `/api/oauth-clients/${encodeURIComponent(app)}`, { method: "PUT", body });
}

export async function deleteOauthClient(app: string): Promise<void> {
  await request("ok", `/api/oauth-clients/${encodeURIComponent(app)}`, { method: "DELETE" });
}

export function useConnectionMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["connections", "app catalogue", "oauth clients"], mutate, onSuccess);
}
