import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";

/**
 * Bytes that are no text, as a value that steps can hand on. An http answer and a read file come out as one;
 * a file's content and an http body that are one go in as the bytes themselves.
 */
export type BinaryValue = { contentType: string; base64: string; bytes: number };

export function toBinaryValue(bytes: Buffer, contentType = "application/octet-stream"): BinaryValue {
  return { contentType, base64: bytes.toString("base64"), bytes: bytes.length };
}

/** The bytes, when it is such a value and nothing else: any other object is data and stays JSON. */
export function bytesOf(value: JsonValue): Buffer | undefined {
  if (!isRecord(value) || Object.keys(value).length !== 3) return undefined;
  const { contentType, base64, bytes } = value;
  if (typeof contentType !== "string" || typeof base64 !== "string") return undefined;
  const decoded = Buffer.from(base64, "base64");
  return decoded.length === bytes ? decoded : undefined;
}

/** Text when the bytes are right UTF-8; a guess would change them for good. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
