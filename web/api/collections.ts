import type { CollectionView, UpdateCollection } from "../../contract/collections.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { useAll } from "./pages.ts";

export type { CollectionView };

const PATH = "/api/v1/collections";

/** Own collections and those shared with the user. */
export function useCollections() {
  return useAll({ noun: "collections", path: PATH });
}

export async function createCollection(name: string): Promise<CollectionView> {
  return request("collection", PATH, { body: { name } });
}

export async function updateCollection(id: string, change: UpdateCollection): Promise<CollectionView> {
  return request("collection", `${PATH}/${id}`, { method: "PATCH", body: change });
}

export async function deleteCollection(id: string, withDocuments: boolean): Promise<void> {
  await request("ok", `${PATH}/${id}?documents=${withDocuments ? "delete" : "keep"}`, { method: "DELETE" });
}

export async function addToCollection(id: string, documentId: string): Promise<void> {
  await request("collection", `${PATH}/${id}/documents/${documentId}`, { method: "PUT" });
}

export async function removeFromCollection(id: string, documentId: string): Promise<void> {
  await request("collection", `${PATH}/${id}/documents/${documentId}`, { method: "DELETE" });
}

export async function createUploadKey(id: string): Promise<{ upload_key: string; upload_url: string }> {
  return request("uploadKey", `${PATH}/${id}/upload-key`, { method: "POST" });
}

export async function revokeUploadKey(id: string): Promise<void> {
  await request("collection", `${PATH}/${id}/upload-key`, { method: "DELETE" });
}

/** Both lists change: a collection shows the number of its documents. */
export function useCollectionMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["collections", "documents"], mutate, onSuccess);
}
