import { expect, test } from "vitest";
import { createTextDecoder } from "./text-decoder.ts";

test.each(["windows-1252", "ISO-8859-1", "latin1", "us-ascii"])("%s has €, quotes and dashes", (encoding) => {
  const bytes = Uint8Array.from({ length: 128 }, (_, i) => i + 128);
  const text = createTextDecoder(encoding).decode(bytes);
  expect(text).toHaveLength(128);
  expect(text.slice(0, 32)).toBe("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ");
  expect(text.slice(32)).toBe(Buffer.from(bytes.subarray(32)).toString("latin1"));
});

test("control characters of other encodings stay", () => {
  expect(createTextDecoder().decode(Buffer.from("\u0080é"))).toBe("\u0080é");
  expect(() => createTextDecoder("klingon")).toThrow(RangeError);
});
