import { ApiError } from "./api-error.ts";
import { authHeaders } from "./auth-token.ts";

/** The bytes of a file between steps. */
export async function readRunFile(fileId: string): Promise<Blob> {
  const response = await fetch(`/api/run-files/${encodeURIComponent(fileId)}`, { headers: authHeaders() });
  if (!response.ok)
    throw new ApiError(response.status, {
      message: "The file no longer exists: it was deleted with its runs.",
    });
  return response.blob();
}
