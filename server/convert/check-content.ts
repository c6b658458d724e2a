import { open } from "node:fs/promises";
import type { FileFormat } from "../../contract/steps/convert.ts";
import { contentTypeOf, HEAD_BYTES } from "../run-files/content-type.ts";
import type { ConvertSource } from "./convert-job.ts";
import { unreadableFile } from "./unreadable-file.ts";

const ARCHIVES: ReadonlySet<FileFormat> = new Set(["xlsx", "zip"]);
const HTML_START = /^\uFEFF?\s*<(?:!doctype\s+html|html[\s>])/i;

/** A name promises nothing: a login page that was saved as orders.csv must not become rows. */
export async function checkContent(source: ConvertSource, format: FileFormat): Promise<void> {
  const head = await headOf(source);
  const found = contentTypeOf(head, undefined, "");
  if (ARCHIVES.has(format)) {
    if (found !== "application/zip") throw unreadableFile(`it is ${nameOf(found)}, not ${nameOf(format)}`);
    return;
  }
  if (found !== "text/plain" && head.length > 0)
    throw unreadableFile(`it is ${nameOf(found)}, not ${nameOf(format)}`);
  const isHtml = HTML_START.test(head.toString("utf8"));
  if (isHtml && (format === "csv" || format === "jsonl" || format === "json"))
    throw unreadableFile(`it is an HTML page, not ${nameOf(format)}`);
}

function nameOf(type: string): string {
  if (type === "application/octet-stream") return "binary data";
  return type === "text/plain" ? "text" : type;
}

async function headOf(source: ConvertSource): Promise<Buffer> {
  if ("text" in source) return Buffer.from(source.text.slice(0, HEAD_BYTES));
  const handle = await open(source.path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
