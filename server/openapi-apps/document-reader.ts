import { createDeadline } from "../lib/deadline.ts";
import { AppError } from "../lib/errors.ts";
import { startWorker } from "../lib/worker-file.ts";
import { MAX_DOCUMENT_BYTES } from "../../contract/api-apps.ts";
import type { ConvertOptions } from "./convert-document.ts";
import type { PackedApp } from "./pack-document.ts";
import { unreadable } from "./read-document.ts";

/** 4 MB of YAML take 3 s, and five times that on a busy machine. */
const TIMEOUT_MS = 60_000;
/** 3 MB of YAML take 190 MB. */
const MAX_HEAP_MB = 512;

/** Reads and converts a document in a thread with limits on time and memory: a document can be made to take both. */
export async function readOpenApiDocument(
  text: string,
  options: ConvertOptions,
  { signal, timeoutMs = TIMEOUT_MS }: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<PackedApp> {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES)
    throw unreadable(`it is larger than ${MAX_DOCUMENT_BYTES} bytes`);
  const deadline = createDeadline(timeoutMs, {
    outer: signal,
    reason: () => unreadable(`it takes longer than ${timeoutMs / 1000} s to read`),
  });
  const worker = startWorker(new URL("./openapi.worker.ts", import.meta.url), {
    workerData: { text, options },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 32 },
  });
  try {
    return await deadline.race(
      new Promise<PackedApp>((resolve, reject) => {
        worker.once("message", (reply: { packed?: PackedApp; code?: string; message?: string }) => {
          if (reply.packed !== undefined) resolve(reply.packed);
          else if (reply.code === "unreadable_document")
            reject(new AppError("unreadable_document", reply.message ?? ""));
          else reject(unreadable(reply.message ?? "it cannot be read"));
        });
        worker.once("error", () => reject(unreadable("it needs more memory than allowed")));
        worker.once("exit", () => reject(unreadable("reading it ended early")));
      }),
    );
  } finally {
    deadline.clear();
    await worker.terminate();
  }
}
