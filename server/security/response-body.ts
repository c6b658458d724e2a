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

export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/** A body above this size is large. */
const LARGE_BODY_BYTES = 1024 * 1024;

/**
 * Reads and decompresses the body. The limit counts decompressed bytes, so it stops a bomb. `onLarge` is awaited once,
 * before a large body is read on; meanwhile the sender waits, too.
 */
export async function readBody(
  source: Readable,
  encoding: string,
  maxBytes: number,
  onLarge?: () => Promise<void>,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decodedBody(source, encoding) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      // Leaving the loop destroys the stream and with it the connection.
      throw new AppError("response_too_large", `The response is larger than the limit of ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
    if (onLarge !== undefined && size > LARGE_BODY_BYTES && size - chunk.length <= LARGE_BODY_BYTES)
      await onLarge();
  }
  return Buffer.concat(chunks, size);
}

/** True if `decodedBody` decodes this encoding. Bodies with an unknown one are returned as they are. */
export function isDecodable(encoding: string): boolean {
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
