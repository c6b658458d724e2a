/** The bytes 128 to 159 in windows-1252. Five of them are control characters there, too. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

interface Decoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}

/**
 * `TextDecoder` with the correct characters in windows-1252 and its other names, such as ISO-8859-1: some versions of
 * Node decode €, quotes and dashes as control characters.
 */
export function createTextDecoder(encoding = "utf-8", { fatal = false } = {}): Decoder {
  const decoder = new TextDecoder(encoding, { fatal });
  if (decoder.encoding !== "windows-1252") return decoder;
  return { decode: (bytes, options) => replaceControls(decoder.decode(bytes, options)) };
}

/** Replaces control characters that are the bytes of windows-1252. */
export function replaceControls(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 128] ?? char);
}

const BYTE_ORDER_MARKS: readonly (readonly [number[], string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** The encoding that the byte order mark names; undefined without one. */
export function markedEncoding(bytes: Uint8Array): string | undefined {
  return BYTE_ORDER_MARKS.find(([mark]) => mark.every((byte, i) => bytes[i] === byte))?.[1];
}
