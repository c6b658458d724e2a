import { parentPort, workerData } from "node:worker_threads";
import { AppError, messageOf } from "../lib/errors.ts";
import { convertDocument, type ConvertOptions } from "./convert-document.ts";
import { packDocument } from "./pack-document.ts";
import { readDocument } from "./read-document.ts";

/** One document: a thread for each, which ends with it. */
const { text, options } = workerData as { text: string; options: ConvertOptions };
try {
  parentPort?.postMessage({ packed: packDocument(convertDocument(readDocument(text), options)) });
} catch (error) {
  const { code, message } = error instanceof AppError ? error : { code: "", message: messageOf(error) };
  parentPort?.postMessage({ code, message });
}
