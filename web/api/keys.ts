import type * as z from "zod";
import type { ApiKey, createKeySchema, KeyScope } from "../../contract/keys.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { usePages } from "./pages.ts";

export type { KeyScope, ApiKey };
export type NewKey = NonNullable<z.input<typeof createKeySchema>>;

export function useKeyPages() {
  return usePages({ noun: "keys", path: "/api/keys", operation: "listApiKeys" });
}

/** Returns the raw key; the service never shows it again. */
export async function createKey(key: NewKey): Promise<string> {
  return (await request("createdKey", "/api/keys", { body: key })).rawKey;
}

export async function revokeKey(id: string): Promise<void> {
  await request("key", `/api/keys/${id}`, { method: "DELETE" });
}

export function useKeyMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["keys"], mutate, onSuccess);
}
