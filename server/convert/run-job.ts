import { writeFile } from "node:fs/promises";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { checkContent } from "./check-content.ts";
import type { ConvertJob, ConvertResult } from "./convert-job.ts";
import { indexFile, readRows } from "./file-index.ts";
import { readCsv, writeCsv } from "./formats/csv.ts";
import { readHtml, readMarkdown, writeHtml, writeMarkdown, writeText } from "./formats/html.ts";
import { readJson, readJsonLines, writeJsonLines } from "./formats/jsonl.ts";
import { readXlsx, writeXlsx } from "./formats/xlsx.ts";
import { readXml, writeXml } from "./formats/xml.ts";
import { extractZip, listZip, writeZip } from "./formats/zip.ts";
import { readText } from "./read-text.ts";
import { unreadableFile } from "./unreadable-file.ts";
import { piecesOf, type ValuePiece } from "./value-pieces.ts";

/** Runs in a worker. */
export async function runJob(job: ConvertJob): Promise<ConvertResult> {
  switch (job.kind) {
    case "read":
      await checkContent(job.source, job.format);
      return { type: "value", pieces: await read(job) };
    case "write":
      await write(job);
      return { type: "written" };
    case "list":
      await checkContent({ path: job.path }, "zip");
      return { type: "value", pieces: await listZip(job.path, job.maxValueBytes) };
    case "extract":
      await checkContent({ path: job.path }, "zip");
      return { type: "extracted", entries: await extractZip(job.path, job.targetPath, job.maxTotalBytes) };
    case "archive":
      await writeZip(job.entries, job.targetPath, job.maxTotalBytes);
      return { type: "written" };
    case "index":
      await checkContent({ path: job.path }, job.format);
      return { type: "index", index: await indexFile(job.path, job) };
    case "rows":
      return { type: "value", pieces: piecesOf(readRows(job.bytes, job, job.maxValueBytes)) };
  }
}

async function read({
  format,
  source,
  options,
  maxValueBytes,
}: Extract<ConvertJob, { kind: "read" }>): Promise<ValuePiece[]> {
  switch (format) {
    case "csv":
      return readCsv(source, options, maxValueBytes);
    case "jsonl":
      return readJsonLines(source, maxValueBytes);
    case "json":
      return readJson(source, maxValueBytes);
    case "html":
      return readHtml(source, options, maxValueBytes);
    case "xml":
      return readXml(source, maxValueBytes);
    case "markdown":
      return readMarkdown(source, maxValueBytes);
    case "text":
      return piecesOf(await readText(source, maxValueBytes));
    case "xlsx":
      if ("text" in source) throw unreadableFile("an Excel file is needed, not text");
      return readXlsx(source.path, options, maxValueBytes);
    case "zip":
      throw unreadableFile("archives are listed or extracted");
  }
}

async function write({
  format,
  json,
  options,
  targetPath,
}: Extract<ConvertJob, { kind: "write" }>): Promise<void> {
  const value = JSON.parse(json) as JsonValue;
  if (format === "csv") return writeCsv(value, options, targetPath);
  if (format === "xlsx") return writeXlsx(value, options, targetPath);
  if (format === "jsonl") return writeJsonLines(value, targetPath);
  await writeFile(targetPath, textOf(format, value, options), { mode: 0o600, flag: "wx" });
}

function textOf(
  format: Extract<ConvertJob, { kind: "write" }>["format"],
  value: JsonValue,
  options: Extract<ConvertJob, { kind: "write" }>["options"],
): string {
  if (format === "html") return writeHtml(value);
  if (format === "markdown") return writeMarkdown(value);
  if (format === "xml") return writeXml(value, options);
  return format === "json" ? `${JSON.stringify(value, null, 2)}\n` : writeText(value);
}
