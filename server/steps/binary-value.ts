import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { PartedWork } from "../lib/in-turns.ts";

/** A multiple of three, so that the base64 of parts is the base64 of the whole. */
const PART_BYTES = 192 * 1024;

/**
 * Binary data as a JSON value. An http response and a read file that are not text become such a value; as the content of
 * a file or the body of a request it is written as bytes.
 */
export type BinaryValue = { contentType: string; base64: string; bytes: number };

export function toBinaryValue(bytes: Buffer, contentType = "application/octet-stream"): BinaryValue {
  return { contentType, base64: bytes.toString("base64"), bytes: bytes.length };
}

export function* binaryValueInParts(bytes: Buffer): PartedWork<BinaryValue> {
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += PART_BYTES) {
    parts.push(bytes.toString("base64", from, from + PART_BYTES));
    yield;
  }
  return { contentType: "application/octet-stream", base64: parts.join(""), bytes: bytes.length };
}

/** The bytes of a binary value. Any other object is data and stays JSON. */
export function bytesOf(value: JsonValue): Buffer | undefined {
  if (!isRecord(value) || Object.keys(value).length !== 3) return undefined;
  const { contentType, base64, bytes } = value;
  if (typeof contentType !== "string" || typeof base64 !== "string") return undefined;
  const decoded = Buffer.from(base64, "base64");
  return decoded.length === bytes ? decoded : undefined;
}

/** Text only if the bytes are valid UTF-8: replacement characters would lose the original. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
