import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import type * as z from "zod";
import type { changePasswordSchema, loginSchema, registerSchema } from "../../contract/accounts.ts";
import type { Role } from "../../contract/role-order.ts";
import { ApiError } from "./api-error.ts";
import { authHeaders, authToken, chosenWorkspace } from "./auth-token.ts";
import { tabValues } from "./browser-storage.ts";
import { request } from "./client.ts";

const listeners = new Set<() => void>();
const notify = (): void => {
  for (const listener of listeners) listener();
};

/** Signs this tab in or out when another tab does. `clearCache` runs first: the data belongs to the previous user. */
export function syncTabs(clearCache: () => void): void {
  addEventListener("storage", ({ key }) => {
    if (key !== null && !authToken.isStorageKey(key)) return;
    clearCache();
    notify();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useToken(): string | null {
  return useSyncExternalStore(subscribe, authToken.read);
}

export function useMe() {
  return useQuery({
    queryKey: ["me"],
    queryFn: () => request("me", "/api/auth/me"),
    staleTime: Infinity,
    select: ({ user, workspaces }) => ({ ...user, workspaces }),
  });
}

/** The workspace that the page shows; undefined until it is known. */
export function useWorkspace() {
  const chosen = useSyncExternalStore(subscribe, chosenWorkspace.read);
  const me = useMe().data;
  const workspaces = me?.workspaces ?? [];
  return {
    workspaces,
    /** A workspace that the person left or was removed from counts as none. */
    isGone: me !== undefined && chosen !== null && !workspaces.some(({ id }) => id === chosen),
    workspace: workspaces.find(({ id }) => id === (chosen ?? me?.id)),
  };
}

/** The role in the workspace that the page shows; undefined until it is known. Everyone owns their personal workspace. */
export function useRole(): Role | undefined {
  const chosen = useSyncExternalStore(subscribe, chosenWorkspace.read);
  const { workspace } = useWorkspace();
  return workspace?.role ?? (chosen === null ? "owner" : undefined);
}

/** The tree of the page belongs to one login and one workspace. */
export function useIdentity(): string | null {
  const token = useToken();
  const chosen = useSyncExternalStore(subscribe, chosenWorkspace.read);
  return token === null ? null : `${token} ${chosen ?? ""}`;
}

/** Shows the records of another workspace; null is the personal one. */
export function useSwitchWorkspace(): (id: string | null) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (id) => {
      // A workspace that was just created or joined is not among the known ones yet.
      if (id !== null) await client.refetchQueries({ queryKey: ["me"] });
      chosenWorkspace.save(id);
      // Everything but the account belongs to the workspace that was left.
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
      notify();
    },
    [client],
  );
}

export async function logIn(credentials: z.input<typeof loginSchema>): Promise<void> {
  saveToken((await request("signedIn", "/api/auth/login", { body: credentials })).token);
}

/** The challenge of a login that needs a code as well; undefined for every other error. */
export function challengeOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== "second_factor_required") return undefined;
  return (error.body["details"] as { challenge: string }).challenge;
}

export async function logInWithCode(challenge: string, code: string): Promise<void> {
  const body = { challenge, code };
  saveToken((await request("signedIn", "/api/auth/login/second-factor", { body })).token);
}

/** The ways to log in, for the login screen. */
export function useLoginMethods() {
  return useQuery({
    queryKey: ["login-methods"],
    queryFn: () => request("loginMethods", "/api/auth/methods"),
    staleTime: Infinity,
  });
}

const RETURN_KEY = "baton.returnTo";

/** Continues at the login page of the provider, with the token of an invitation if the account is created with one. */
export async function startProviderLogin(invitation?: string): Promise<void> {
  const { authorizationUrl } = await request("providerLogin", "/api/auth/oidc/start", {
    method: "POST",
    body: { invitation },
  });
  const wanted = invitation === undefined ? location.pathname + location.search : "/";
  tabValues.save(RETURN_KEY, wanted);
  location.assign(authorizationUrl);
}

/** Returns the path that the user wanted to see. */
export async function finishProviderLogin(query: string): Promise<string> {
  const { token } = await request("signedIn", "/api/auth/oidc/callback", { body: { query } });
  const path = tabValues.read(RETURN_KEY) ?? "/";
  tabValues.remove(RETURN_KEY);
  authToken.save(token);
  return path.startsWith("/login/") ? "/" : path;
}

export async function register(account: z.input<typeof registerSchema>): Promise<void> {
  saveToken((await request("signedIn", "/api/auth/register", { body: account })).token);
}

function saveToken(token: string): void {
  authToken.save(token);
  notify();
}

/** Removes the token and keeps the URL: after the next sign-in the user is on the same screen. */
export function expireSession(): void {
  authToken.remove();
  notify();
}

export async function changePassword(passwords: z.input<typeof changePasswordSchema>): Promise<void> {
  await request("ok", "/api/auth/password", { body: passwords });
}

/** `password` is undefined for an account without one. */
export async function deleteAccount(password: string | undefined): Promise<void> {
  await request("ok", "/api/auth/me", { method: "DELETE", body: { password } });
}

/** Signs out without a request: the login has ended. */
export function useForgetUser(): () => void {
  const client = useQueryClient();
  return useCallback(() => {
    expireSession();
    client.clear();
  }, [client]);
}

export function useSignOut(): () => void {
  const forgetUser = useForgetUser();
  return useCallback(() => {
    // Not awaited: signing out works offline too, and the token then ends by itself after seven days.
    void fetch("/api/auth/logout", { method: "POST", headers: authHeaders(), keepalive: true })
      .then(async (response) => {
        const { providerLogoutUrl } = (await response.json()) as { providerLogoutUrl?: string | null };
        // The login at the provider ends too, or one click would log the next person in.
        if (typeof providerLogoutUrl === "string") location.assign(providerLogoutUrl);
      })
      .catch(() => {});
    forgetUser();
  }, [forgetUser]);
}
