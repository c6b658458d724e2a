import type { Role } from "../../contract/roles.ts";
import type { Member } from "../../contract/workspaces.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { usePages } from "./pages.ts";

export type { Member, Role };

export function useMembers(workspaceId: string) {
  return usePages({ noun: "members", path: `/api/workspaces/${workspaceId}/members` });
}

export function useInvitations(workspaceId: string) {
  return usePages({
    noun: "invitations",
    path: `/api/workspaces/${workspaceId}/invitations`,
    operation: "listInvitations",
  });
}

export async function createWorkspace(name: string): Promise<string> {
  return (await request("workspace", "/api/workspaces", { body: { name } })).workspace.id;
}

export async function renameWorkspace(id: string, name: string): Promise<void> {
  await request("workspace", `/api/workspaces/${id}`, { method: "PATCH", body: { name } });
}

export async function deleteWorkspace(id: string): Promise<void> {
  await request("ok", `/api/workspaces/${id}`, { method: "DELETE" });
}

export async function leaveWorkspace(id: string): Promise<void> {
  await request("ok", `/api/workspaces/${id}/leave`, { method: "POST" });
}

export async function changeRole(workspaceId: string, userId: string, role: Role): Promise<void> {
  await request("member", `/api/workspaces/${workspaceId}/members/${userId}`, {
    method: "PATCH",
    body: { role },
  });
}

export async function removeMember(workspaceId: string, userId: string): Promise<void> {
  await request("ok", `/api/workspaces/${workspaceId}/members/${userId}`, { method: "DELETE" });
}

/** Returns the link, which the service never shows again, and whether it was mailed. */
export async function invite(
  workspaceId: string,
  role: Role,
  email: string,
): Promise<{ url: string; mailed: boolean }> {
  const body = { role, ...(email !== "" && { email }) };
  return request("createdInvitation", `/api/workspaces/${workspaceId}/invitations`, { body });
}

export async function cancelInvitation(workspaceId: string, id: string): Promise<void> {
  await request("ok", `/api/workspaces/${workspaceId}/invitations/${id}`, { method: "DELETE" });
}

export async function readInvitation(token: string) {
  return (await request("invitationPreview", `/api/invitations/${encodeURIComponent(token)}`)).invitation;
}

/** Returns the id of the joined workspace. */
export async function acceptInvitation(token: string): Promise<string> {
  return (await request("workspace", "/api/invitations/accept", { body: { token } })).workspace.id;
}

export function useWorkspaceMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["members", "invitations", "me"], mutate, onSuccess);
}
