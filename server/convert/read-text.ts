import { isAscii } from "node:buffer";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { decodeText } from "../documents/extract/decode-text.ts";
import { createTextDecoder } from "../lib/text-decoder.ts";
import { outputTooLarge } from "../limits/limit-reached.ts";
import type { ConvertSource } from "./convert-job.ts";

const SAMPLE_BYTES = 64 * 1024;

/** The whole text. A file that cannot become a value within the limit is not loaded. */
export async function readText(
  source: ConvertSource,
  maxBytes: number,
  decode: (bytes: Buffer) => string = decodeText,
): Promise<string> {
  if ("text" in source) return source.text.replace(/^\uFEFF/, "");
  const { size } = await stat(source.path);
  // Every character takes a byte at least, and two in UTF-16.
  if (maxBytes > 0 && size > 2 * maxBytes) throw valueTooLarge(maxBytes);
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(source.path)) pieces.push(piece as Buffer);
  return decode(Buffer.concat(pieces));
}

/** The text in pieces, for files of any size. */
export async function* streamText(source: ConvertSource): AsyncGenerator<string> {
  if ("text" in source) {
    yield source.text.replace(/^\uFEFF/, "");
    return;
  }
  const decoder = createTextDecoder(await encodingOf(source.path));
  for await (const piece of createReadStream(source.path))
    yield decoder.decode(piece as Buffer, { stream: true });
  yield decoder.decode();
}

/** By the byte order mark, else UTF-8 if the first bytes beyond ASCII are valid UTF-8, else windows-1252. */
export async function encodingOf(path: string): Promise<string> {
  const handle = await open(path, "r");
  try {
    let position = 0;
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, position);
      const sample = buffer.subarray(0, bytesRead);
      if (position === 0 && sample[0] === 0xff && sample[1] === 0xfe) return "utf-16le";
      if (position === 0 && sample[0] === 0xfe && sample[1] === 0xff) return "utf-16be";
      if (bytesRead === 0) return "utf-8";
      if (!isAscii(sample)) return isUtf8Prefix(sample) ? "utf-8" : "windows-1252";
      position += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** The last character may be cut off. */
function isUtf8Prefix(sample: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

export function valueTooLarge(maxBytes: number): Error {
  return outputTooLarge(
    "value_bytes",
    `The content is larger than ${maxBytes} bytes as a value. Loop over the file with a foreach and batchSize.`,
  );
}
