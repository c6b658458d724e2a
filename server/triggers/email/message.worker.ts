import { parentPort } from "node:worker_threads";
import type { ReadRequest } from "./message-reader.ts";
import { readMessage } from "./read-message.ts";

/** One message at a time; the parent sends the next one after the result, which is undefined for one that cannot be read. */
parentPort?.on("message", ({ source, isCut }: ReadRequest) => {
  readMessage(source, isCut)
    .catch(() => undefined)
    .then((message) => parentPort?.postMessage(message))
    .catch(() => process.exit(1));
});
