import { createDeadline } from "../lib/deadline.ts";
import { AppError } from "../lib/errors.ts";
import { startWorker } from "../lib/worker-file.ts";
import type { ConvertedDocument, ConvertOptions } from "./convert-document.ts";
import { unreadable } from "./read-document.ts";

/** GitHub's document has 12 MB. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_HEAP_MB = 768;

/** Converts a document in a thread with limits on time and memory: a document can be made to take both. */
export async function readOpenApiDocument(
  text: string,
  options: ConvertOptions,
  { signal, timeoutMs = TIMEOUT_MS }: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<ConvertedDocument> {
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
      new Promise<ConvertedDocument>((resolve, reject) => {
        worker.once(
          "message",
          (reply: { converted?: ConvertedDocument; code?: string; message?: string }) => {
            if (reply.converted !== undefined) resolve(reply.converted);
            else if (reply.code === "unreadable_document")
              reject(new AppError("unreadable_document", reply.message ?? ""));
            else reject(unreadable(reply.message ?? "it cannot be read"));
          },
        );
        worker.once("error", () => reject(unreadable("it needs more memory than allowed")));
        worker.once("exit", () => reject(unreadable("reading it ended early")));
      }),
    );
  } finally {
    deadline.clear();
    await worker.terminate();
  }
}
