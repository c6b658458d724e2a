import { rm, writeFile } from "node:fs/promises";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { isFileReference } from "../../contract/file-reference.ts";
import type { ConvertSource } from "../convert/convert-job.ts";
import type { StepCall } from "../engine/run/step-runner.ts";
import { serialize } from "../lib/serialize-json.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { bytesOf } from "./binary-value.ts";
import { describeValue, invalidField } from "./step-failure.ts";

type Files = Pick<RunFiles, "withLocalFile" | "newPath">;

/** Calls `use` with a file of an earlier step as a local path, or with text. */
export async function withLocalSource<T>(
  { ownerId }: StepCall,
  input: JsonValue | undefined,
  runFiles: Files,
  use: (source: ConvertSource) => Promise<T>,
): Promise<T> {
  if (isFileReference(input)) return runFiles.withLocalFile(ownerId, input.file, (path) => use({ path }));
  if (typeof input === "string") return use({ text: input });
  const bytes = bytesOf(input ?? null);
  if (bytes === undefined)
    throw invalidField("input", `must be a file of an earlier step or text, not ${describeValue(input)}`);
  const path = await runFiles.newPath();
  try {
    await writeFile(path, bytes, { mode: 0o600, flag: "wx" });
    return await use({ path });
  } finally {
    await rm(path, { force: true });
  }
}

/** The same for several at once. */
export async function withLocalSources<T>(
  call: StepCall,
  inputs: readonly JsonValue[],
  runFiles: Files,
  use: (sources: ConvertSource[]) => Promise<T>,
  opened: ConvertSource[] = [],
): Promise<T> {
  const [first, ...rest] = inputs;
  if (first === undefined) return use(opened);
  const text = typeof first === "object" && !isFileReference(first) && bytesOf(first) === undefined;
  const given = text ? await serialize(first, { indent: true }) : first;
  return withLocalSource(call, given, runFiles, (source) =>
    withLocalSources(call, rest, runFiles, use, [...opened, source]),
  );
}
