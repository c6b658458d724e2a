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
// Each layer of compression multiplies what one byte can become; nobody honest uses more than one.
const MAX_ENCODINGS = 2;

export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/** Reads to the end, decompressed; the limit counts the bytes that come out, so a bomb stops at it. */
export async function readBody(source: Readable, encoding: string, maxBytes: number): Promise<Buffer> {
  // Giving up half-way destroys the source, which then reports it; with no listener that ends the process.
  source.on("error", () => {});
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded(source, encoding) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      // Leaving the loop destroys the stream and with it the connection.
      throw new AppError("response_too_large", `The response is larger than the limit of ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Whether `readBody` will take the encoding off; an unknown one is handed on as it came. */
export function isDecodable(encoding: string): boolean {
  const names = encodingNames(encoding);
  return names.length > 0 && names.every((name) => Object.hasOwn(DECODERS, name));
}

function decoded(source: Readable, encoding: string): Readable {
  if (!isDecodable(encoding)) return source;
  const names = encodingNames(encoding);
  if (names.length > MAX_ENCODINGS) {
    source.destroy();
    throw new AppError("invalid_response", `The response is compressed ${names.length} times over.`);
  }
  const decoders = names.toReversed().flatMap((name) => DECODERS[name]?.() ?? []);
  // pipeline() hands every failure to the last stream, where the loop above meets it.
  return pipeline([source, ...decoders], () => {}) as unknown as Readable;
}

function encodingNames(encoding: string): string[] {
  return encoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
}
