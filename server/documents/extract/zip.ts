import { inflateRawSync } from "node:zlib";
import type { ByteSource } from "./byte-source.ts";
import { unreadable } from "./unreadable.ts";

interface ZipEntry {
  name: string;
  method: number;
  isEncrypted: boolean;
  compressedBytes: number;
  /** Position of its local header. */
  offset: number;
}

export interface ZipFile {
  names: ReadonlySet<string>;
  /** The inflated bytes of an entry; undefined when the file has none of this name. */
  read(name: string): Promise<Buffer | undefined>;
}

export interface ZipLimits {
  maxEntryBytes: number;
  maxTotalBytes: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** The largest documents have a few thousand entries: slides, chapters, images. */
const MAX_ENTRIES = 20_000;
const MAX_DIRECTORY_BYTES = 8 * 1024 * 1024;

/**
 * Reads entries by the directory at the end of the file. Sizes in the directory are claims of the file: the limit is
 * that of the inflating itself, and the sum of all entries read is limited too.
 */
export async function openZip(source: ByteSource, limits: ZipLimits): Promise<ZipFile> {
  const entries = new Map((await readDirectory(source)).map((entry) => [entry.name, entry]));
  let total = 0;
  return {
    names: new Set(entries.keys()),
    async read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      const bytes = inflate(entry, await rawBytes(source, entry), limits.maxEntryBytes);
      total += bytes.length;
      if (total > limits.maxTotalBytes) throw bomb();
      return bytes;
    },
  };
}

/** Empty for a file whose directory cannot be read. */
export async function zipEntryNames(source: ByteSource): Promise<ReadonlySet<string>> {
  const entries = await readDirectory(source).catch(() => []);
  return new Set(entries.map(({ name }) => name));
}

async function readDirectory(source: ByteSource): Promise<ZipEntry[]> {
  const tailLength = Math.min(source.size, END_BYTES + MAX_COMMENT_BYTES);
  const tail = await source.read(source.size - tailLength, tailLength);
  const end = findEnd(tail);
  if (end === undefined) throw unreadable("its structure is broken or cut off");
  const count = end.readUInt16LE(10);
  const bytes = end.readUInt32LE(12);
  if (count > MAX_ENTRIES || bytes > MAX_DIRECTORY_BYTES) throw unreadable("it has too many parts");
  const directory = await source.read(end.readUInt32LE(16), bytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  while (entries.length < count) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGNATURE)
      throw unreadable("its structure is broken or cut off");
    const nameLength = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength),
      method: directory.readUInt16LE(at + 10),
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      compressedBytes: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    });
    at += ENTRY_BYTES + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(tail: Buffer): Buffer | undefined {
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1)
    if (tail.readUInt32LE(at) === END_SIGNATURE) return tail.subarray(at);
  return undefined;
}

async function rawBytes(source: ByteSource, { offset, compressedBytes }: ZipEntry): Promise<Buffer> {
  const header = await source.read(offset, LOCAL_BYTES);
  if (header.length < LOCAL_BYTES) throw unreadable("its structure is broken or cut off");
  const start = offset + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  return source.read(start, compressedBytes);
}

function inflate({ method, isEncrypted }: ZipEntry, bytes: Buffer, maxBytes: number): Buffer {
  if (isEncrypted) throw unreadable("it is encrypted; upload a copy without a password");
  if (method === STORED && bytes.length <= maxBytes) return bytes;
  if (method === STORED) throw bomb();
  if (method !== DEFLATED) throw unreadable("it is compressed in an unknown way");
  try {
    return inflateRawSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") throw bomb();
    throw unreadable("its structure is broken or cut off", error);
  }
}

function bomb(): Error {
  return unreadable("it contains a stream that inflates beyond the limit");
}
