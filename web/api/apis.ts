import { useQuery } from "@tanstack/react-query";
import type { ApiOperation, ImportApp, RefreshedApp, UpdateApp } from "../../contract/api-apps.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";

export type { ApiOperation, RefreshedApp };

const pathOf = (id: string): string => `/api/apps/${encodeURIComponent(id)}`;

/** What is in the document of an API: many lines, so they are loaded with its panel. */
export function useOperations(id: string) {
  return useQuery({
    queryKey: ["app catalogue", id, "operations"],
    queryFn: () => request("apiOperations", `${pathOf(id)}/operations`),
  });
}

export async function importApi(body: ImportApp): Promise<{ id: string; title: string }> {
  return (await request("importedApp", "/api/apps/import", { body })).app;
}

export function updateApi(id: string, body: UpdateApp) {
  return request("importedApp", pathOf(id), { method: "PATCH", body });
}

/** `document`: the new text of one that was pasted. `dryRun` stores nothing. */
export function refreshApi(
  id: string,
  body: { document?: string | undefined; dryRun: boolean },
): Promise<RefreshedApp> {
  return request("refreshedApp", `${pathOf(id)}/refresh`, { body });
}

/** `force` deletes it although workflows use it. */
export async function deleteApi(id: string, force: boolean): Promise<void> {
  await request("ok", `${pathOf(id)}${force ? "?force=true" : ""}`, { method: "DELETE" });
}

export function useApiAppMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["app catalogue", "connections"], mutate, onSuccess);
}
