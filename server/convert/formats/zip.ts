import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { type Entry, open, type ZipFile as OpenZip } from "yauzl";
import { ZipFile } from "yazl";
import { AppError, messageOf } from "../../lib/errors.ts";
import { outputTooLarge } from "../../limits/limit-reached.ts";
import { type ArchiveEntry, type ExtractedEntry, MAX_ENTRIES } from "../convert-job.ts";
import { createRowList } from "../row-list.ts";
import { unreadableFile } from "../unreadable-file.ts";
import type { ValuePiece } from "../value-pieces.ts";

/** Deflate reaches 1,000. Text rarely exceeds 20, and small files do not matter. */
const MAX_RATIO = 200;
const FREE_BYTES = 16 * 1024 * 1024;

/** Names and sizes, without inflating anything. The sizes are claims of the archive. */
export async function listZip(path: string, maxValueBytes: number): Promise<ValuePiece[]> {
  const entries = createRowList(maxValueBytes);
  await eachEntry(path, ({ fileName, uncompressedSize }) =>
    entries.add({ path: fileName, size: uncompressedSize }),
  );
  return entries.pieces();
}

/** Writes each file to `<targetPath>-<n>`. Counts inflated bytes, whatever the archive claims. */
export async function extractZip(
  path: string,
  targetPath: string,
  maxTotalBytes: number,
): Promise<ExtractedEntry[]> {
  const extracted: ExtractedEntry[] = [];
  let total = 0;
  await eachEntry(path, async (entry, zip) => {
    if (entry.isEncrypted()) throw unreadableFile("it is encrypted; use an archive without a password");
    const file = `${targetPath}-${extracted.length}`;
    extracted.push({ path: entry.fileName, file });
    const stream = await promisify(zip.openReadStream.bind(zip) as OpenStream)(entry);
    let bytes = 0;
    const count = (length: number): void => {
      bytes += length;
      total += length;
      const isBomb = bytes > FREE_BYTES && bytes > entry.compressedSize * MAX_RATIO;
      if (isBomb || (maxTotalBytes > 0 && total > maxTotalBytes))
        throw unreadableFile("its files inflate beyond the limit");
    };
    await pipeline(counted(stream, count), createWriteStream(file, { mode: 0o600, flags: "wx" }));
  }).catch(async (error: unknown) => {
    await Promise.all(extracted.map(({ file }) => rm(file, { force: true })));
    throw error;
  });
  return extracted;
}

async function* counted(stream: Readable, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    count(chunk.length);
    yield chunk;
  }
}

type OpenStream = (entry: Entry, done: (error: Error | null, stream: Readable) => void) => void;
type OpenPath = (path: string, options: object, done: (error: Error | null, zip: OpenZip) => void) => void;

/** Folders are left out. yauzl refuses names that lead out of a folder, and data that is longer than claimed. */
async function eachEntry(
  path: string,
  use: (entry: Entry, zip: OpenZip) => void | Promise<void>,
): Promise<void> {
  const zip = await promisify(open as OpenPath)(path, { lazyEntries: true, autoClose: false }).catch(broken);
  try {
    if (zip.entryCount > MAX_ENTRIES)
      throw unreadableFile(`it has ${zip.entryCount} entries; at most ${MAX_ENTRIES} are allowed`);
    await new Promise<void>((resolve, reject) => {
      zip.on("error", reject).on("end", resolve);
      zip.on("entry", (entry: Entry) => {
        const work = async (): Promise<void> => {
          if (!entry.fileName.endsWith("/")) await use(entry, zip);
          zip.readEntry();
        };
        work().catch(reject);
      });
      zip.readEntry();
    }).catch(broken);
  } finally {
    zip.close();
  }
}

function broken(error: unknown): never {
  throw error instanceof AppError ? error : unreadableFile(messageOf(error), error);
}

/** The files count before they are packed: they may compress well, and still take hours to read. */
export async function writeZip(
  entries: readonly ArchiveEntry[],
  targetPath: string,
  maxTotalBytes: number,
): Promise<void> {
  let total = 0;
  for (const entry of entries) {
    total += "path" in entry ? (await stat(entry.path)).size : Buffer.byteLength(entry.text);
    if (maxTotalBytes > 0 && total > maxTotalBytes)
      throw outputTooLarge("file_bytes", `The files of the archive are larger than ${maxTotalBytes} bytes.`);
  }
  const zip = new ZipFile();
  const used = new Set<string>();
  for (const entry of entries) {
    const name = uniqueName(entry.name, used);
    if ("path" in entry) zip.addFile(entry.path, name);
    else zip.addBuffer(Buffer.from(entry.text), name);
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(targetPath, { mode: 0o600, flags: "wx" }));
}

/** Plain names joined by `/`: an archive must not write outside of the folder where it is unpacked. */
function uniqueName(given: string, used: Set<string>): string {
  const names = given.split(/[/\\]/).filter((name) => name !== "" && name !== "." && name !== "..");
  const path = names.join("/").replaceAll(":", "_") || "file";
  const dot = path.lastIndexOf(".");
  const [base, extension] = dot > path.lastIndexOf("/") ? [path.slice(0, dot), path.slice(dot)] : [path, ""];
  let name = path;
  for (let n = 2; used.has(name); n += 1) name = `${base} (${n})${extension}`;
  used.add(name);
  return name;
}
