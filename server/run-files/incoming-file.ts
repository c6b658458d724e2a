import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { asDiskFault } from "../lib/disk-fault.ts";
import { HEAD_BYTES } from "./content-type.ts";

export interface IncomingFile {
  bytes: number;
  sha256: string;
  /** The first bytes, which tell the type. */
  head: Buffer;
}

/** Writes a stream to a new file. `count` is called before each piece is written, and throws at a limit. */
export async function writeIncoming(
  source: AsyncIterable<Uint8Array>,
  path: string,
  count: (bytes: number) => void,
): Promise<IncomingFile> {
  const hash = createHash("sha256");
  const handle = await open(path, "wx", 0o600).catch(failed);
  let bytes = 0;
  let head = Buffer.alloc(0);
  try {
    // Leaving the loop by an error destroys a stream and with it its connection.
    for await (const chunk of source) {
      count(chunk.length);
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
      hash.update(chunk);
      bytes += chunk.length;
      await handle.writeFile(chunk).catch(failed);
    }
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest("hex"), head };
}

function failed(error: unknown): never {
  throw asDiskFault(error);
}

export async function hashFile(path: string): Promise<IncomingFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  let head = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex"), head };
}
