import { expect, test } from "vitest";
import { decodeEscapes } from "./decode-escapes.ts";

test.each([
  ["%41b%2f%2F%00", "Ab//\0"],
  ["%09%aF%Fa%90", "\t\u00af\u00fa\u0090"],
  [String.raw`\x41\u0042\u{43}\u{000044}\u{1F600}\u{10ffff}`, "ABCD\u{1f600}\u{10ffff}"],
  [String.raw`\n\r\t\b\f\\\"\/\'`, "\n\r\t\b\f\\\"/'"],
  ["&amp;&AMP;&lt;&LT;&gt;&GT;&quot;&QUOT;&apos;", '&&<<>>""\''],
  ["&#39;&#39&#x27;&#X27;&#x1F600;", "''''\u{1f600}"],
  ["&#65535;&#65536;&#1114111;", "\uffff\u{10000}\u{10ffff}"],
  ["&#39a &#x27g", "'a 'g"],
  // Of a number, eight digits are read.
  ["&#000000395", "'5"],
])("%j stands for %j", (source, text) => {
  expect(decodeEscapes(source)?.text).toBe(text);
});

test.each([
  "",
  "no escape",
  "100%",
  "%4",
  "%4g",
  "%g4",
  "%/0",
  "%:0",
  "%@0",
  "%`0",
  "%G0",
  "\\",
  String.raw`\q`,
  String.raw`\x4`,
  String.raw`\x4g`,
  String.raw`\u004`,
  String.raw`\u{}`,
  String.raw`\u{41`,
  String.raw`\u{4g}`,
  String.raw`\u{110000}`,
  "&",
  "&unknown;",
  "&amp",
  "&#;",
  "&#x;",
  "&#a;",
  "&#xg;",
  "&#1114112;",
])("%j has no escape", (source) => {
  expect(decodeEscapes(source)).toBeUndefined();
});

test("each decoded character and the end know where they begin in the source", () => {
  const { starts } = decodeEscapes(String.raw`a%41\u{1F600}&amp;b`)!;
  expect(Array.from(starts).slice(0, 7)).toEqual([0, 1, 4, 4, 13, 18, 19]);
});
