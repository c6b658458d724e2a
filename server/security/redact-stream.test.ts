import { describe, expect, test } from "vitest";
import { createRedactor } from "./redact.ts";

const SECRET = "s3cr3t-Tok3n";
const LONG = "sk_live_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

function streamed(pieces: readonly string[], secrets: readonly string[]): string[] {
  const stream = createRedactor(secrets).stream();
  return [...pieces.map((piece) => stream.push(piece)), stream.end()];
}

const forms: [string, string][] = [
  ["plain", SECRET],
  ["in upper case", SECRET.toUpperCase()],
  ["in base64", Buffer.from(SECRET).toString("base64")],
  ["in hex", Buffer.from(SECRET).toString("hex")],
  ["percent-encoded", [...SECRET].map((char) => `%${char.charCodeAt(0).toString(16)}`).join("")],
  ["escaped in JSON", [...SECRET].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join("")],
  ["as HTML references", [...SECRET].map((char) => `&#${char.charCodeAt(0)};`).join("")],
  ["percent-encoded twice", [...SECRET].map((char) => `%25${char.charCodeAt(0).toString(16)}`).join("")],
];

describe("a secret in a text that arrives in pieces", () => {
  test.each(forms)("[S20] %s is redacted wherever it is split", (_name, form) => {
    const text = `The key is ${form}, as s3 said.`;
    const whole = createRedactor([SECRET]).text(text);
    expect(whole).toContain("•••");
    for (let at = 0; at <= text.length; at++)
      expect(streamed([text.slice(0, at), text.slice(at)], [SECRET]).join("")).toBe(whole);
    expect(streamed([...text], [SECRET]).join("")).toBe(whole);
  });

  test("a long one is redacted in every split, though in several masks", () => {
    const text = `Bearer ${LONG} and on`;
    const collapse = (shown: string) => shown.replaceAll(/(?:•••)+/g, "•••");
    for (let at = 0; at <= text.length; at++)
      expect(collapse(streamed([text.slice(0, at), text.slice(at)], [LONG]).join(""))).toBe(
        "Bearer ••• and on",
      );
    expect(collapse(streamed([...text], [LONG]).join(""))).toBe("Bearer ••• and on");
  });

  test("overlapping secrets leave nothing of either", () => {
    const text = "x abcdabcdefgh y";
    for (let at = 0; at <= text.length; at++)
      expect(streamed([text.slice(0, at), text.slice(at)], ["abcdabcd", "abcdefgh"]).join("")).toBe(
        "x ••• y",
      );
    // Half of the first is held back, as the second may begin there; the third continues its mask.
    const secrets = ["abcdabcd", "abcdefgh", "wxyz1234"];
    expect(streamed(["x abcdabcd", "wxyz1234 y"], secrets).join("")).toBe("x ••• y");
  });

  test("text is held back only while it may be the start of one", () => {
    expect(streamed(["Hello s3cr", "ambled egg", " 50%"], [SECRET])).toEqual([
      "Hello ",
      "s3crambled egg",
      " 50",
      "%",
    ]);
    expect(streamed([`Hello ${SECRET}`], [SECRET])[0]).toBe("Hello •••");
    expect(streamed(["Hello ", "there"], [])).toEqual(["Hello ", "there", ""]);
    // A text that keeps repeating the start is not held back for ever.
    const shown = streamed(
      Array.from({ length: 3000 }, () => "%73"),
      ["ssssssss-never"],
    );
    expect(shown.join("")).toHaveLength(9000);
    expect(Math.max(...shown.map(({ length }) => length))).toBeLessThanOrEqual(2003);
  });
});
