import { parentPort } from "node:worker_threads";
import { AppError, messageOf } from "../lib/errors.ts";
import type { ConvertJob, ConvertResult } from "./convert-job.ts";
import { runJob } from "./run-job.ts";
import { unreadableFile } from "./unreadable-file.ts";

/** One job at a time; the parent sends the next one after the result. */
parentPort?.on("message", (job: ConvertJob) => {
  runJob(job)
    .catch((error: unknown): ConvertResult => {
      // Anything unexpected is a fault of the content: a parser that overflows the stack, a selector that fails.
      const known = error instanceof AppError ? error : unreadableFile(messageOf(error));
      return { type: "failed", code: known.code, message: known.message };
    })
    .then((result) => parentPort?.postMessage(result))
    .catch(() => process.exit(1));
});
