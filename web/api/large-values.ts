import { saveFile } from "../ui/save-file.ts";
import { authHeaders } from "./auth-token.ts";

/** What a response holds in place of a value that is too large for it. */
export interface LargeValue {
  truncated: true;
  bytes: number;
  url: string;
}

/** Data of a user may look alike: only addresses of this service count. */
export function isLargeValue(value: unknown): value is LargeValue {
  if (typeof value !== "object" || value === null) return false;
  const { truncated, bytes, url } = value as Partial<LargeValue>;
  return (
    truncated === true &&
    typeof bytes === "number" &&
    typeof url === "string" &&
    /^\/api\/tasks\/[\w-]+\/(result|steps\/[^/]+\/output)$/.test(url)
  );
}

export async function downloadValue(url: string): Promise<void> {
  const response = await fetch(url, { headers: authHeaders() });
  if (!response.ok) throw new Error("The value could not be downloaded. Try again.");
  saveFile(await response.blob(), "value.json");
}
