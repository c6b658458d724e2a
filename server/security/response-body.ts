import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { AppError } from "../lib/errors.ts";

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
// Each layer of compression multiplies the expansion of a bomb. Legitimate servers use one.
const MAX_ENCODINGS = 2;

/** Without `deflate`: some servers send it without its header, which looks like broken data. */
export const ACCEPTED_ENCODINGS = "gzip, br";

/** A body above this size is large. */
const LARGE_BODY_BYTES = 1024 * 1024;
const DISCARDED_BYTES = 16 * 1024;

/** Called whenever a body has grown. Throws to stop it, returns a promise to read on later. */
export type OnGrowth = (size: number, grownBy: number) => Promise<void> | undefined;

/** True once, when a body becomes large. Throws above the limit. */
export function becomesLarge(size: number, grownBy: number, maxBytes: number): boolean {
  if (size > maxBytes)
    throw new AppError("response_too_large", `The response is larger than the limit of ${maxBytes} bytes.`);
  return size > LARGE_BODY_BYTES && size - grownBy <= LARGE_BODY_BYTES;
}

/** Reads and decompresses the body. The limit counts decompressed bytes, so it stops a bomb. */
export async function readBody(source: Readable, encoding: string, onGrowth: OnGrowth): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the stream and with it the connection.
  for await (const chunk of decodedBody(source, encoding) as AsyncIterable<Buffer>) {
    size += chunk.length;
    const pause = onGrowth(size, chunk.length);
    chunks.push(chunk);
    if (pause !== undefined) await pause;
  }
  return Buffer.concat(chunks, size);
}

/** Reads a small body to its end, so that its connection can be used again. */
export async function discardBody(body: Buffer | Readable): Promise<void> {
  if (Buffer.isBuffer(body)) return;
  let size = 0;
  for await (const chunk of decodedBody(body, "") as AsyncIterable<Buffer>)
    if ((size += chunk.length) > DISCARDED_BYTES) return;
}

/** True if `decodedBody` decodes this encoding. Bodies with an unknown one are returned as they are. */
export function isDecodable(encoding: string): boolean {
  if (encoding === "") return false;
  const names = encodingNames(encoding);
  return names.length > 0 && names.every((name) => Object.hasOwn(DECODERS, name));
}

/** The decompressed body, to be read to its end or destroyed. */
export function decodedBody(source: Readable, encoding: string): Readable {
  // Stopping early destroys the source, which then emits an error. Without a listener that would end the process.
  source.on("error", () => {});
  if (!isDecodable(encoding)) return source;
  const names = encodingNames(encoding);
  if (names.length > MAX_ENCODINGS) {
    source.destroy();
    throw new AppError(
      "invalid_response",
      `The response is compressed ${names.length} times. Only one compression is supported.`,
    );
  }
  const decoders = names.toReversed().flatMap((name) => DECODERS[name]?.() ?? []);
  // pipeline() forwards every failure to the last stream, where the loop above throws it.
  return pipeline([source, ...decoders], () => {}) as unknown as Readable;
}

function encodingNames(encoding: string): string[] {
  return encoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
}
