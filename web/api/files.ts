import type { FileView } from "../../contract/files.ts";
import { ApiError } from "./api-error.ts";
import { authHeaders } from "./auth-token.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { usePages } from "./pages.ts";

export type { FileView };

const searchOf = (path: string): string => new URLSearchParams({ path }).toString();

export function useFilePages(path: string) {
  return usePages({ noun: "files", path: "/api/files", filter: { path } }, { alwaysFresh: true });
}

export async function readFileContent(path: string): Promise<Blob> {
  const response = await fetch(`/api/files/content?${searchOf(path)}`, { headers: authHeaders() });
  if (!response.ok)
    throw new ApiError(response.status, { message: "The file no longer exists. Reload the list." });
  return response.blob();
}

export function useDeleteFile() {
  return useApiMutation(["files"], (path: string) =>
    request("ok", `/api/files?${searchOf(path)}`, { method: "DELETE" }),
  );
}
