import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "./redact.ts";
import { MASK } from "./redact-value.ts";

const SECRET = 'p@ss/w+rd "q" ñ?';
const redactor = createRedactor([SECRET]);
const bytes = Buffer.from(SECRET);

test.each<[string, string]>([
  ["plain", SECRET],
  ["in JSON", JSON.stringify({ a: SECRET })],
  ["in JSON in JSON", JSON.stringify(JSON.stringify({ a: SECRET }))],
  ["in JSON with escaped slashes", JSON.stringify(SECRET).replaceAll("/", "\\/")],
  ["as a URL component", `https://x.example/?k=${encodeURIComponent(SECRET)}&b=1`],
  ["as a URL component in lower case", encodeURIComponent(SECRET).toLowerCase()],
  ["in a URL", encodeURI(`https://x.example/${SECRET}`)],
  ["in a form", new URLSearchParams({ a: "1", k: SECRET, b: "2" }).toString()],
  ["in hex", `0x${bytes.toString("hex")}`],
  ["in capital hex", bytes.toString("hex").toUpperCase()],
  ["in base64", bytes.toString("base64")],
  ["in base64url", bytes.toString("base64url")],
])("a secret %s is redacted", (_name, text) => {
  const redacted = redactor.text(text);
  expect(redacted).toContain(MASK);
  for (const part of ["p@ss", "p%40ss", "703a", bytes.toString("hex").slice(4, 12), "w+rd"])
    expect(redacted.toLowerCase()).not.toContain(part.toLowerCase());
});

const percentEncodeAll = (text: string) => `%${Buffer.from(text).toString("hex").match(/../g)?.join("%")}`;
const escapeAll = (escape: (code: number) => string) => (text: string) =>
  [...text].map((char) => escape(char.codePointAt(0) ?? 0)).join("");
const unicodeEscape = (text: string) =>
  Array.from({ length: text.length }, (_, i) => `\\u${hexOf(text.charCodeAt(i), 4)}`).join("");
const hexOf = (code: number, digits = 0) => code.toString(16).padStart(digits, "0");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");
const encodings: Record<string, (text: string) => string> = {
  "in capitals": (text) => text.toUpperCase(),
  "in lower case": (text) => text.toLowerCase(),
  "percent-encoded, every character": percentEncodeAll,
  "percent-encoded in mixed case": (text) => encodeURIComponent(text).replace("%2F", "%2f"),
  "percent-encoded twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "as JSON in JSON in a URL": (text) => encodeURIComponent(JSON.stringify(JSON.stringify(text))),
  "in unicode escapes": unicodeEscape,
  "in capital unicode escapes": (text) => unicodeEscape(text).toUpperCase().replaceAll("\\U", "\\u"),
  "in unicode escapes with braces": escapeAll((code) => `\\u{${hexOf(code)}}`),
  "in unicode escapes within JSON": (text) => JSON.stringify(unicodeEscape(text)),
  "in byte escapes": (text) =>
    Buffer.from(text)
      .toString("hex")
      .replace(/../g, String.raw`\x$&`),
  "in HTML": (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
  "in HTML, every character in decimal": escapeAll((code) => `&#${code};`),
  "in HTML, every character in hex": escapeAll((code) => `&#X${hexOf(code)};`),
  "in HTML twice": (text) => escapeAll((code) => `&#${code};`)(text).replaceAll("&", "&amp;"),
  "in hex of mixed case": (text) => hex(text).replace(/[a-f]/, (digit) => digit.toUpperCase()),
  "in base64, in lower case": (text) => base64(text).toLowerCase(),
  "in base64, percent-encoded": (text) => encodeURIComponent(base64(text)),
  "in base64 twice": (text) => base64(base64(`user:${text}`)),
  "in hex of base64": (text) => hex(base64(text)),
  "in base64 of hex": (text) => base64(hex(text)),
  "in base64 of JSON": (text) => base64(JSON.stringify({ password: text })),
  "in base64 of a URL component": (text) => base64(encodeURIComponent(text)),
  "in base64 of a form": (text) => base64(new URLSearchParams({ password: text }).toString()),
};

test.each(Object.entries(encodings))("[S20] a secret %s is redacted completely", (_name, encode) => {
  const secret = 'Tok3n/A+b "q" & é𐐀Z-the-end';
  const redacted = createRedactor([secret]).text(`before <${encode(secret)}> after`);
  expect(redacted).toContain(MASK);
  // What is left of an encoded form is at most the characters that also depend on the text around the secret.
  const left = redacted.slice("before <".length, -"> after".length).replaceAll(MASK, "");
  expect(left.length).toBeLessThan(encode("").length + 36);
  for (const part of ["tok3n", hex("k3n/"), base64("Tok3n/A+b ").slice(0, 10)])
    expect(redacted.toLowerCase()).not.toContain(part.toLowerCase());
  expect(redacted.startsWith("before <") && redacted.endsWith("> after")).toBe(true);
});

test("text around an escaped secret is unchanged", () => {
  const { text } = createRedactor(["s3cret/x"]);
  expect(text("100%25 a&amp;b s3cret%2Fx \\n 50% &unknown; \\u12 &#x; %zz")).toBe(
    `100%25 a&amp;b ${MASK} \\n 50% &unknown; \\u12 &#x; %zz`,
  );
});

test("a Greek or Turkish secret is redacted in another letter case", () => {
  expect(createRedactor(["ΟΔΟΣ-οδος"]).text("x οδοσ-ΟΔΟΣ y")).toBe(`x ${MASK} y`);
  expect(createRedactor(["İstanbul"]).text("x İSTANBUL y")).toBe(`x ${MASK} y`);
});

test("a secret inside base64 of a longer text is redacted at every offset, in both alphabets", () => {
  const secret = "sk-live-0123456789abcdef~~~???>>>";
  const { text } = createRedactor([secret]);
  for (const before of ["", "u", "us", "use", "user:"]) {
    for (const after of ["", "x", "xy", "xyz"]) {
      for (const alphabet of ["base64", "base64url"] as const) {
        const redacted = text(Buffer.from(before + secret + after).toString(alphabet));
        expect(redacted).toContain(MASK);
        const left = Buffer.from(redacted.replace(MASK, ""), "base64").toString("latin1");
        expect(left).not.toMatch(/live|0123|cdef|~~~/);
      }
    }
  }
});

test("strings, keys, nested values and whole numbers are redacted, the rest is unchanged", () => {
  const { value } = createRedactor(["s3cret", "12345678"]);
  const json = {
    a: ["x s3cret y", 1, null, true],
    "key s3cret": { deep: [{ s: "s3cret" }] },
    n: 12345678,
    m: 123456789,
  };
  expect(value(json)).toEqual({
    a: [`x ${MASK} y`, 1, null, true],
    [`key ${MASK}`]: { deep: [{ s: MASK }] },
    n: MASK,
    m: 123456789,
  });
  expect(json.a[0]).toBe("x s3cret y");
  // The copy can be changed as the original can.
  expect(Object.getOwnPropertyDescriptor(value(json), "n")).toEqual({
    value: MASK,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  expect([value("x s3cret y"), value(12345678), value(1234)]).toEqual([`x ${MASK} y`, MASK, 1234]);
});

test("a value without secrets is returned as the same reference", () => {
  const json = { a: [1, "two", { three: null }] };
  expect(redactor.value(json)).toBe(json);
  const text = "nothing to see";
  expect(redactor.text(text)).toBe(text);
  for (const scalar of [null, true, 7, "", undefined]) expect(redactor.value(scalar)).toBe(scalar);
});

test("a key named __proto__ stays a key", () => {
  const json: unknown = JSON.parse('{"__proto__": {"polluted": "s3cret"}}');
  const redacted = createRedactor(["s3cret"]).value(json);
  expect(JSON.stringify(redacted)).toBe(`{"__proto__":{"polluted":"${MASK}"}}`);
  expect((redacted as { polluted?: unknown }).polluted).toBeUndefined();
});

test("a secret that contains another is redacted once, and overlapping ones leave nothing", () => {
  const { text } = createRedactor(["abcd", "abcdefgh", "efghijkl"]);
  expect(text("-abcdefgh-")).toBe(`-${MASK}-`);
  expect(text("-abcdefghijkl-")).toBe(`-${MASK}-`);
  expect(text("-abcd-efghijkl-")).toBe(`-${MASK}-${MASK}-`);
});

test("a long key is redacted completely, and mostly when it was truncated", () => {
  const key = Array.from({ length: 500 }, (_, i) => (i * 7919).toString(36)).join("");
  const { text } = createRedactor([key]);
  expect(text(`a ${key} z`)).toBe(`a ${MASK} z`);
  expect(text(key.slice(0, 1000)).length).toBeLessThan(64 + MASK.length);
});

test("a secret that was pasted with a line break is also redacted without it", () => {
  expect(createRedactor(["s3cret\n"]).text("Bearer s3cret")).toBe(`Bearer ${MASK}`);
});

test("secrets shorter than four characters, and none at all, change nothing", () => {
  const text = "a no 123 yes";
  expect(createRedactor(["", "a", "no", "123", " a  "]).text(text)).toBe(text);
  for (const secrets of [[], ["no"]]) expect(createRedactor(secrets).text(text)).toBe(text);
  expect(createRedactor([]).value({ text })).toEqual({ text });
});

test("special characters of patterns are literal", () => {
  const { text } = createRedactor(["a.*b", "(((((", "[a-z]+", "$&$1"]);
  expect(text("axxb a.*b ((((( abc [a-z]+ $&$1")).toBe(`axxb ${MASK} ${MASK} abc ${MASK} ${MASK}`);
});

test("a secret with a lone surrogate is redacted", () => {
  expect(createRedactor(["abc\ud800def"]).text("x abc\ud800def y")).toBe(`x ${MASK} y`);
});

test("a hundred thousand nested arrays are walked without a deep call stack", () => {
  let json: unknown = "s3cret";
  for (let i = 0; i < 100_000; i++) json = [json];
  let redacted = createRedactor(["s3cret"]).value(json);
  while (Array.isArray(redacted)) redacted = redacted[0];
  expect(redacted).toBe(MASK);
});

test("[S20] no text with a secret anywhere keeps it, and no text without one changes", () => {
  const word = fc.string({ minLength: 4, maxLength: 200 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), fc.array(fc.string()), (secrets, others) => {
      const { text } = createRedactor(secrets);
      const source = others.join(secrets[0]);
      const redacted = text(source);
      if (!source.includes(MASK)) for (const secret of secrets) expect(redacted.includes(secret)).toBe(false);
    }),
    { numRuns: 300 },
  );
});
