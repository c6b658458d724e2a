import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { AdminTask, AdminWorkspace, WorkspaceStorage } from "../../contract/admin-instance.ts";
import type { AdminUser, ChangeUser, UserDeletion } from "../../contract/admin-users.ts";
import type { SetWorkspaceRules, WorkspaceRules } from "../../contract/administration.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { pagingOf, usePages } from "./pages.ts";

export type { AdminTask, AdminUser, AdminWorkspace, UserDeletion, WorkspaceRules, WorkspaceStorage };

const POLL_MS = 5000;
const MEASURING_POLL_MS = 2000;

export function useUsers(filter: { search?: string; status?: string }) {
  return usePages({ noun: "users", path: "/api/admin/users", filter });
}

export async function changeUser(id: string, change: ChangeUser): Promise<void> {
  await request("adminUser", `/api/admin/users/${id}`, { method: "PATCH", body: change });
}

/** What happens to the records of the user. */
export type Fate = { transferTo: string } | { deleteRecords: "true" };

export function useUserDeletion(id: string, fate: Partial<Fate>) {
  const query = new URLSearchParams({ dryRun: "true", ...fate });
  return useQuery({
    queryKey: ["userDeletion", id, fate],
    queryFn: async () =>
      (await request("userDeletion", `/api/admin/users/${id}?${query.toString()}`, { method: "DELETE" }))
        .deletion,
  });
}

export async function deleteUser(id: string, fate: Fate): Promise<void> {
  await request("userDeletion", `/api/admin/users/${id}?${new URLSearchParams(fate).toString()}`, {
    method: "DELETE",
  });
}

export function useAccountInvitations() {
  return usePages({ noun: "accountInvitations", path: "/api/admin/invitations" });
}

/** Returns the link, which the service never shows again, and whether it was mailed. */
export async function inviteAccount(email: string): Promise<{ url: string; mailed: boolean }> {
  return request("accountInvitation", "/api/admin/invitations", { body: email === "" ? {} : { email } });
}

export async function withdrawInvitation(id: string): Promise<void> {
  await request("ok", `/api/admin/invitations/${id}`, { method: "DELETE" });
}

export async function readAccountInvitation(token: string) {
  return request("accountInvitationPreview", "/api/auth/invitation", { body: { token } });
}

export function useAllWorkspaces(search: string) {
  return usePages({ noun: "adminWorkspaces", path: "/api/admin/workspaces", filter: { search } });
}

export function useWorkspaceRules(id: string) {
  return useQuery({
    queryKey: ["workspaceRules", id],
    queryFn: async () => (await request("workspaceRules", `/api/admin/workspaces/${id}/rules`)).rules,
  });
}

export async function changeWorkspaceRules(id: string, change: SetWorkspaceRules): Promise<void> {
  await request("workspaceRules", `/api/admin/workspaces/${id}/rules`, { method: "PATCH", body: change });
}

export function useOpenTasks(kind: AdminTask["kind"], status: AdminTask["status"]) {
  return usePages(
    { noun: "adminTasks", path: "/api/admin/tasks", filter: { kind, status } },
    { pollMs: POLL_MS, alwaysFresh: true },
  );
}

export async function stopTask(id: string): Promise<void> {
  await request("ok", `/api/admin/tasks/${id}/stop`, { method: "POST" });
}

export async function stopWorkspace(id: string): Promise<number> {
  let stopped = 0;
  for (;;) {
    const answer = await request("stoppedTasks", `/api/admin/workspaces/${id}/stop`, { method: "POST" });
    stopped += answer.stopped;
    if (!answer.hasMore) return stopped;
  }
}

/** The first page has the size of the database and of the disk, too. */
export function useStorage() {
  const query = useInfiniteQuery({
    queryKey: ["workspaceStorage"],
    queryFn: ({ pageParam }) =>
      request(
        "workspaceStorage",
        `/api/admin/storage?limit=50${pageParam === null ? "" : `&cursor=${encodeURIComponent(pageParam)}`}`,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.measuring === true ? MEASURING_POLL_MS : false),
  });
  return {
    instance: query.data?.pages[0],
    list: {
      data: query.data?.pages.flatMap(({ workspaces }) => workspaces),
      error: query.error,
      refetch: query.refetch,
      ...pagingOf(query),
    },
  };
}

export function useAdministration<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  const nouns = [
    "users",
    "accountInvitations",
    "adminWorkspaces",
    "adminTasks",
    "workspaceRules",
    "userDeletion",
    "me",
  ];
  return useApiMutation(nouns, mutate, onSuccess);
}
