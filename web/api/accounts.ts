import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import type * as z from "zod";
import type { changePasswordSchema, loginSchema, registerSchema } from "../../contract/accounts.ts";
import { authHeaders, authToken } from "./auth-token.ts";
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
    select: (response) => response.user,
  });
}

export async function logIn(credentials: z.input<typeof loginSchema>): Promise<void> {
  saveToken((await request("signedIn", "/api/auth/login", { body: credentials })).token);
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

export async function deleteAccount(password: string): Promise<void> {
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
    void fetch("/api/auth/logout", { method: "POST", headers: authHeaders(), keepalive: true }).catch(
      () => {},
    );
    forgetUser();
  }, [forgetUser]);
}
