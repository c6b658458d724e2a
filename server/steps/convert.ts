import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { isFileReference } from "../../contract/file-reference.ts";
import { FILE_FORMATS, type FileFormat } from "../../contract/steps/convert.ts";
import {
  type ArchiveEntry,
  type ConvertOptions,
  type ConvertSource,
  MAX_ENTRIES,
} from "../convert/convert-job.ts";
import type { Converter } from "../convert/converter.ts";
import { joinPieces, type ValuePiece } from "../convert/value-pieces.ts";
import { LARGE_VALUE } from "../engine/run/large-values.ts";
import type { StepCall, StepRunner } from "../engine/run/step-runner.ts";
import { serialize } from "../lib/serialize-json.ts";
import type { Limits } from "../limits/limits.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { toFileFailure } from "./file-failure.ts";
import { describeValue, invalidField, requiredText } from "./step-failure.ts";
import { withLocalSource, withLocalSources } from "./convert-sources.ts";

export interface ConvertRunnerDeps {
  converter: Pick<Converter, "run">;
  runFiles: RunFiles;
  limits: Pick<Limits, "max">;
}

const TYPES: Readonly<Record<FileFormat, readonly [contentType: string, extension: string]>> = {
  csv: ["text/csv", "csv"],
  xlsx: ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
  jsonl: ["application/x-ndjson", "jsonl"],
  json: ["application/json", "json"],
  html: ["text/html", "html"],
  xml: ["application/xml", "xml"],
  markdown: ["text/markdown", "md"],
  zip: ["application/zip", "zip"],
  text: ["text/plain", "txt"],
};

/** Reads files into values and writes values into files. */
export function createConvertRunner(deps: ConvertRunnerDeps): StepRunner {
  return {
    async run(call) {
      const operation = requiredText(call.fields, "operation");
      const format = formatOf(call.fields["format"]);
      try {
        if (operation === "read") return { output: await read(call, format, deps) };
        if (operation === "write") return { output: await write(call, format, deps) };
      } catch (error) {
        throw toFileFailure(error);
      }
      throw invalidField("operation", `must be read or write, not ${describeValue(operation)}`);
    },
  };
}

async function read(call: StepCall, format: FileFormat, deps: ConvertRunnerDeps): Promise<JsonValue> {
  const { ownerId, fields, signal } = call;
  return withLocalSource(call, fields["input"], deps.runFiles, async (source) => {
    if (format === "zip") return unzip(call, source, deps);
    const options = optionsOf(fields);
    const maxValueBytes = deps.limits.max("value_bytes");
    const job = { kind: "read", format, source, options, maxValueBytes } as const;
    const result = await deps.converter.run(ownerId, job, signal);
    return result.type === "value" ? joined(call, result.pieces) : null;
  });
}

async function joined({ holdLargeValue, signal }: StepCall, pieces: ValuePiece[]): Promise<JsonValue> {
  const characters = pieces.reduce((sum, { json }) => sum + json.length, 0);
  if (characters > LARGE_VALUE) await holdLargeValue(signal);
  return joinPieces(pieces, () => setImmediate(undefined, { signal }));
}

async function unzip(call: StepCall, source: ConvertSource, deps: ConvertRunnerDeps): Promise<JsonValue> {
  const { ownerId, taskId, fields, signal } = call;
  if (!("path" in source)) throw invalidField("input", "must be a file");
  if (fields["entries"] === "list") {
    const maxValueBytes = deps.limits.max("value_bytes");
    const listed = await deps.converter.run(
      ownerId,
      { kind: "list", path: source.path, maxValueBytes },
      signal,
    );
    return listed.type === "value" ? joined(call, listed.pieces) : [];
  }
  const targetPath = await deps.runFiles.newPath();
  const maxTotalBytes = deps.limits.max("file_bytes");
  const job = { kind: "extract", path: source.path, targetPath, maxTotalBytes } as const;
  const files: JsonValue[] = [];
  try {
    const result = await deps.converter.run(ownerId, job, signal);
    const entries = result.type === "extracted" ? result.entries : [];
    for (const { path, file } of entries)
      files.push({ path, file: await deps.runFiles.adopt({ ownerId, taskId }, { name: path }, file) });
  } finally {
    await removeExtracted(targetPath);
  }
  return files;
}

/** A worker that was cancelled reports no entries, but has written some. */
async function removeExtracted(targetPath: string): Promise<void> {
  const [folder, prefix] = [dirname(targetPath), `${basename(targetPath)}-`];
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

async function write(call: StepCall, format: FileFormat, deps: ConvertRunnerDeps): Promise<JsonValue> {
  const { ownerId, taskId, fields, signal } = call;
  const input = fields["input"] ?? null;
  const targetPath = await deps.runFiles.newPath();
  try {
    if (format === "zip")
      await withArchiveEntries(call, input, deps, (entries) => {
        const maxTotalBytes = deps.limits.max("file_bytes");
        return deps.converter.run(ownerId, { kind: "archive", entries, targetPath, maxTotalBytes }, signal);
      });
    else {
      const json = await serialize(input);
      const job = { kind: "write", format, json, options: optionsOf(fields), targetPath } as const;
      await deps.converter.run(ownerId, job, signal);
    }
    if (fields["as"] === "text") {
      const options = optionsOf({});
      const maxValueBytes = deps.limits.max("value_bytes");
      const job = {
        kind: "read",
        format: "text",
        source: { path: targetPath },
        options,
        maxValueBytes,
      } as const;
      const result = await deps.converter.run(ownerId, job, signal);
      return result.type === "value" ? await joined(call, result.pieces) : null;
    }
    const [contentType, extension] = TYPES[format];
    const name = textOption(fields["fileName"]) ?? `data.${extension}`;
    return await deps.runFiles.adopt({ ownerId, taskId }, { name, contentType }, targetPath);
  } finally {
    await rm(targetPath, { force: true });
  }
}

/** Files of earlier steps by their names, and `{name, content}` with text or a file as the content. */
async function withArchiveEntries<T>(
  call: StepCall,
  input: JsonValue,
  { runFiles }: ConvertRunnerDeps,
  use: (entries: ArchiveEntry[]) => Promise<T>,
): Promise<T> {
  const items = Array.isArray(input) ? input : [input];
  if (items.length > MAX_ENTRIES) throw invalidField("input", `must have at most ${MAX_ENTRIES} files`);
  const contents = items.map((item) => {
    if (isFileReference(item)) return { name: item.name, content: item };
    if (!isRecord(item)) throw invalidField("input", "must be a list of files and {name, content}");
    const { name, path, content, file } = item as Record<string, JsonValue>;
    return { name: String(name ?? path ?? "file"), content: content ?? file ?? "" };
  });
  return withLocalSources(
    call,
    contents.map(({ content }) => content),
    runFiles,
    (sources) => use(sources.map((source, index) => ({ name: contents[index]!.name, ...source }))),
  );
}

function formatOf(given: JsonValue | undefined): FileFormat {
  const format = FILE_FORMATS.find((known) => known === given);
  if (format === undefined) throw invalidField("format", `must be one of ${FILE_FORMATS.join(", ")}`);
  return format;
}

function optionsOf(fields: StepCall["fields"]): ConvertOptions {
  const take = fields["take"];
  return {
    delimiter: textOption(fields["delimiter"]),
    header: fields["header"] !== false,
    sheet: textOption(fields["sheet"]),
    selector: textOption(fields["selector"]),
    take: take === "html" || take === "markdown" || take === "attribute" ? take : "text",
    attribute: textOption(fields["attribute"]),
    rootName: textOption(fields["rootName"]) ?? "root",
    allowFormulas: fields["allowFormulas"] === true,
  };
}

function textOption(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
