import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import type { User } from "../../contract/accounts.ts";
import { call, login } from "./client.ts";

const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};

/** Another tab that signs in or out takes this one along. What was read for the first person must be forgotten before. */
export function followOtherTabs(forget: () => void): void {
  addEventListener("storage", ({ key }) => {
    if (key !== null && !login.isKey(key)) return;
    forget();
    tell();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useToken(): string | null {
  return useSyncExternalStore(subscribe, login.token);
}

export function useMe() {
  return useQuery({
    queryKey: ["me"],
    queryFn: () => call<{ user: User }>("/api/auth/me"),
    staleTime: Infinity,
    select: (answer) => answer.user,
  });
}

export interface Credentials {
  email: string;
  password: string;
  name?: string;
}

export async function signIn(kind: "login" | "register", credentials: Credentials): Promise<void> {
  const { token } = await call<{ token: string }>(`/api/auth/${kind}`, { body: credentials });
  login.keep(token);
  tell();
}

/** Forgets the token but leaves the address: after the next login the person is where they were. */
export function expireLogin(): void {
  login.forget();
  tell();
}

export function useSignOut(): () => void {
  const client = useQueryClient();
  return useCallback(() => {
    expireLogin();
    client.clear();
  }, [client]);
}
