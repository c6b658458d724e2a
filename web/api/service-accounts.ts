import type { ServiceAccount, ServiceAccountRole } from "../../contract/service-accounts.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { usePages } from "./pages.ts";

export type { ServiceAccount, ServiceAccountRole };

export function useServiceAccounts() {
  return usePages({
    noun: "serviceAccounts",
    path: "/api/service-accounts",
    operation: "listServiceAccounts",
  });
}

export interface ServiceAccountInput {
  name: string;
  role: ServiceAccountRole;
}

export async function createServiceAccount(account: ServiceAccountInput): Promise<void> {
  await request("serviceAccount", "/api/service-accounts", { body: account });
}

export async function updateServiceAccount(id: string, change: ServiceAccountInput): Promise<void> {
  await request("serviceAccount", `/api/service-accounts/${id}`, { method: "PATCH", body: change });
}

export async function deleteServiceAccount(id: string): Promise<void> {
  await request("ok", `/api/service-accounts/${id}`, { method: "DELETE" });
}

/** Its keys are listed with its name, and end with it. */
export function useServiceAccountMutation<Input>(
  mutate: (input: Input) => Promise<void>,
  onSuccess?: () => void,
) {
  return useApiMutation(["serviceAccounts", "keys"], mutate, onSuccess);
}
