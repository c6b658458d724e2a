import { useQuery } from "@tanstack/react-query";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import type { Responses } from "./responses.ts";

export type LoginSession = Responses["loginSessions"]["sessions"][number];
export interface Confirmation {
  password: string;
  code: string;
}

export function useSecondFactor() {
  return useQuery({
    queryKey: ["second-factor"],
    queryFn: () => request("secondFactor", "/api/auth/second-factor"),
  });
}

/** A new secret for an authenticator app. It replaces one that was not enabled. */
export function useSecondFactorSetup() {
  return useQuery({
    queryKey: ["second-factor-setup"],
    queryFn: () => request("secondFactorSetup", "/api/auth/second-factor/setup", { method: "POST" }),
    // Every dialog shows its own secret, and no retry replaces it while it is scanned.
    gcTime: 0,
    staleTime: Infinity,
  });
}

const CHANGED = ["second-factor", "me"];

export function useEnableSecondFactor() {
  return useApiMutation(
    CHANGED,
    async (body: Confirmation) =>
      (await request("recoveryCodes", "/api/auth/second-factor/enable", { body })).recoveryCodes,
  );
}

export function useReplaceRecoveryCodes() {
  return useApiMutation(
    CHANGED,
    async (body: Confirmation) =>
      (await request("recoveryCodes", "/api/auth/second-factor/recovery-codes", { body })).recoveryCodes,
  );
}

export function useDisableSecondFactor(onSuccess: () => void) {
  return useApiMutation(
    CHANGED,
    (body: Confirmation) => request("ok", "/api/auth/second-factor/disable", { body }),
    onSuccess,
  );
}

export function useLoginSessions() {
  return useQuery({
    queryKey: ["login-sessions"],
    queryFn: () => request("loginSessions", "/api/auth/sessions"),
    select: ({ sessions }) => sessions,
  });
}

export function useEndLogin() {
  return useApiMutation(["login-sessions"], (id: string) =>
    request("ok", `/api/auth/sessions/${id}`, { method: "DELETE" }),
  );
}

export async function forgotPassword(email: string): Promise<void> {
  await request("ok", "/api/auth/password/forgot", { body: { email } });
}

export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await request("ok", "/api/auth/password/reset", { body: { token, newPassword } });
}

export async function confirmEmail(token: string): Promise<void> {
  await request("ok", "/api/auth/email/confirm", { body: { token } });
}

export async function sendEmailConfirmation(): Promise<void> {
  await request("ok", "/api/auth/email/confirmation", { method: "POST" });
}

/** The token of a mailed link. Browsers send the fragment to no server. */
export function linkToken(): string {
  return new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
}
