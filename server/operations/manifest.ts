import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { AppError } from "../lib/errors.ts";
import { namesOfKey } from "../lib/file-store.ts";

export const MANIFEST_FILE = "manifest.json";
const FORMAT_VERSION = 1;

const manifestSchema = z.object({
  format: z.literal("baton-backup"),
  formatVersion: z.literal(FORMAT_VERSION),
  createdAt: z.iso.datetime(),
  programVersion: z.string(),
  schemaVersion: z.int(),
  /** Row counts by table, for comparison by people. */
  rows: z.record(z.string(), z.int()),
  files: z.array(
    z.object({
      /** Relative to the backup. A tampered manifest must not be able to write elsewhere. */
      path: z.string().refine(isPlain, "points outside the folder"),
      bytes: z.int(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});

/** The contents of a backup. Written last: a folder without it is an incomplete backup. */
export type Manifest = z.infer<typeof manifestSchema>;
export type BackedUpFile = Manifest["files"][number];

export async function writeManifest(
  folder: string,
  content: Omit<Manifest, "format" | "formatVersion">,
): Promise<void> {
  const manifest: Manifest = { format: "baton-backup", formatVersion: FORMAT_VERSION, ...content };
  await writeFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest, null, 1), {
    mode: 0o600,
    flush: true,
  });
}

export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_FILE);
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "ENOENT") throw cause;
    throw damaged(`${path} does not exist: this is not a backup, or it is incomplete.`, cause);
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw damaged(`${path} is damaged: it is not valid JSON.`, cause);
  }
  const parsed = manifestSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damaged(`${path} is not a valid manifest (${issue?.path.join(".")}: ${issue?.message}).`);
}

export function damaged(message: string, cause?: unknown): AppError {
  return new AppError("backup_damaged", message, { cause });
}

function isPlain(path: string): boolean {
  try {
    return !path.includes("\\") && namesOfKey(path).length > 0;
  } catch {
    return false;
  }
}
