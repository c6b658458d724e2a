import { useQuery } from "@tanstack/react-query";
import type { Authorization, ConnectedApp } from "../../contract/oauth.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { usePages } from "./pages.ts";

export type { Authorization, ConnectedApp };

/** `search` is the query of the authorization request, unchanged: the service decides what it means. */
export function useAuthorization(search: string) {
  return useQuery({
    queryKey: ["oauth-authorization", search],
    queryFn: async () => (await request("authorization", `/api/oauth/authorization?${search}`)).authorization,
    refetchOnWindowFocus: false,
    retry: false,
  });
}

/** Returns the address to which the browser goes next. */
export async function decideAuthorization(search: string, decision: "allow" | "deny"): Promise<string> {
  const body = { ...Object.fromEntries(new URLSearchParams(search)), decision };
  return (await request("decidedAuthorization", "/api/oauth/authorization", { body })).redirectTo;
}

export function useConnectedApps() {
  return usePages({ noun: "apps", path: "/api/connected-apps" });
}

export function useDisconnectApp() {
  return useApiMutation(["apps"], async (id: string) => {
    await request("ok", `/api/connected-apps/${id}`, { method: "DELETE" });
  });
}
