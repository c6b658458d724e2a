import type { StoreValue } from "../../contract/store.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { usePages } from "./pages.ts";

export type { StoreValue };

type Place = Pick<StoreValue, "scope" | "key">;

const pathOf = ({ scope, key }: Place): string =>
  `/api/store/${encodeURIComponent(scope)}/${encodeURIComponent(key)}`;

export function useStorePages(prefix: string) {
  return usePages({ noun: "values", path: "/api/store", filter: { prefix } });
}

/** A list leaves large values out. */
export async function readStoreValue(place: Place): Promise<StoreValue> {
  return (await request("storeValue", pathOf(place))).value;
}

export async function putStoreValue(
  place: Place,
  body: { value: unknown; expiresInMs?: number },
): Promise<StoreValue> {
  return (await request("storeValue", pathOf(place), { method: "PUT", body })).value;
}

export async function deleteStoreValue(place: Place): Promise<void> {
  await request("ok", pathOf(place), { method: "DELETE" });
}

export function useStoreMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["values"], mutate, onSuccess);
}
