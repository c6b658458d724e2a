import { createHash } from "node:crypto";

export const LOCAL_MODEL_ID = "all-minilm-l6-v2-int8";
export const LOCAL_MODEL_DIMENSIONS = 384;

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
