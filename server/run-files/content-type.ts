import { isUtf8 } from "node:buffer";

/** Bytes that suffice to recognize every type below. */
export const HEAD_BYTES = 4096;

const OCTETS = "application/octet-stream";

type Signature = readonly [type: string, offset: number, bytes: string];

const SIGNATURES: readonly Signature[] = [
  ["application/pdf", 0, "%PDF-"],
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF8"],
  ["image/webp", 8, "WEBP"],
  ["audio/wav", 8, "WAVE"],
  ["video/mp4", 4, "ftyp"],
  ["audio/mpeg", 0, "ID3"],
  ["application/gzip", 0, "\x1f\x8b"],
  ["application/x-7z-compressed", 0, "7z\xbc\xaf\x27\x1c"],
  ["application/zip", 0, "PK\x03\x04"],
  ["application/zip", 0, "PK\x05\x06"],
];

/** Formats whose files are zip archives: the declared type is the better one. */
const ZIP_BASED = /officedocument|opendocument|epub|java-archive|zip/;

const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ["csv", "text/csv"],
  ["tsv", "text/tab-separated-values"],
  ["json", "application/json"],
  ["jsonl", "application/x-ndjson"],
  ["ndjson", "application/x-ndjson"],
  ["html", "text/html"],
  ["htm", "text/html"],
  ["xml", "application/xml"],
  ["md", "text/markdown"],
  ["txt", "text/plain"],
  ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
]);

export function typeOfName(name: string): string | undefined {
  return BY_EXTENSION.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
}

/**
 * The type by the first bytes where they tell it: a program named "photo.png" is not an image. Text has no signature, so
 * the declared type or the name decides between kinds of text, and bytes that are not text are never called text.
 */
export function contentTypeOf(head: Buffer, declared: string | undefined, name: string): string {
  const given = declared?.split(";")[0]?.trim().toLowerCase() ?? "";
  // Senders that know nothing better call a file bytes or text.
  const isVague = given === "" || given === OCTETS || given === "text/plain";
  const claimed = (isVague ? typeOfName(name) : undefined) ?? (given === OCTETS ? "" : given);
  const found = SIGNATURES.find(([, offset, bytes]) =>
    head.subarray(offset, offset + bytes.length).equals(Buffer.from(bytes, "latin1")),
  )?.[0];
  if (found === "application/zip" && ZIP_BASED.test(claimed)) return claimed;
  if (found === "video/mp4" && /^(video|audio|image)\//.test(claimed)) return claimed;
  if (found !== undefined) return found;
  if (looksLikeText(head)) return claimed === "" || isSigned(claimed) ? "text/plain" : claimed;
  return claimed === "" || isSigned(claimed) || isTextual(claimed) ? OCTETS : claimed;
}

function isSigned(type: string): boolean {
  return SIGNATURES.some(([signed]) => signed === type) || ZIP_BASED.test(type);
}

function isTextual(type: string): boolean {
  return /^text\/|json|xml|csv|javascript/.test(type);
}

function looksLikeText(head: Buffer): boolean {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isUtf16) return true;
  if (head.includes(0)) return false;
  // The last character may be cut off. windows-1252 has no invalid bytes, but control characters are rare in text.
  const whole = head.subarray(0, Math.max(0, head.length - 4));
  return isUtf8(whole) || !head.some((byte) => byte < 32 && ![9, 10, 12, 13, 27].includes(byte));
}
