import { createTextDecoder, markedEncoding } from "../../lib/text-decoder.ts";

/**
 * The encoding is that of the byte order mark, else the declared one, else UTF-8 if the bytes are valid UTF-8, else
 * windows-1252, in which every byte is a character. `isCut`: the bytes may end in the middle of a character.
 */
export function decodeText(
  bytes: Uint8Array,
  { declared, isCut = false }: { declared?: string | undefined; isCut?: boolean } = {},
): string {
  const decode = (encoding: string, fatal: boolean): string | undefined => {
    try {
      return createTextDecoder(encoding, { fatal }).decode(bytes, { stream: isCut });
    } catch {
      return undefined;
    }
  };
  const marked = markedEncoding(bytes);
  return (
    (marked !== undefined ? decode(marked, false) : undefined) ??
    (declared !== undefined ? decode(declared, true) : undefined) ??
    decode("utf-8", true) ??
    decode("windows-1252", false) ??
    ""
  );
}

// Printable text contains none of these. Some programs write a form feed between pages, and escape codes into logs.
const isControl = (byte: number): boolean => byte < 32 && ![9, 10, 12, 13, 27].includes(byte);
const MAX_CONTROL_SHARE = 0.002;
/** German has 2 % of letters beyond ASCII. Text of another one-byte encoding would become wrong letters. */
const MAX_HIGH_SHARE = 0.3;

/** True for the beginning of a file that is text in UTF-8, UTF-16 with a byte order mark, or windows-1252. */
export function looksLikeText(head: Uint8Array): boolean {
  if (head.length === 0) return false;
  const marked = markedEncoding(head);
  if (marked?.startsWith("utf-16")) return !decodeText(head, { isCut: true }).includes("\0");
  if (head.includes(0)) return false;
  let controls = 0;
  let high = 0;
  for (const byte of head) {
    if (isControl(byte)) controls += 1;
    if (byte > 127) high += 1;
  }
  if (controls > head.length * MAX_CONTROL_SHARE) return false;
  return isUtf8(head) || high <= head.length * MAX_HIGH_SHARE;
}

function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
