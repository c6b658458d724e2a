import fc from "fast-check";

/** Texts that are known to break parsers and stores. */
const texts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udc00x",
  "\u202e\u2066",
  "🧨".repeat(50),
  "ﬀ\u0301\u0301",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "{{input}}",
  "{{constructor.constructor('return process')()}}",
  "{{steps.a.output}}{{",
  "${7*7}",
  "../../etc/passwd",
  "..\\..\\windows",
  "%00",
  "%2e%2e%2f",
  "%",
  "'; drop table task; --",
  '"><script>alert(1)</script>',
  "file:///etc/passwd",
  "http://[::ffff:127.0.0.1]/",
  "http://169.254.169.254/latest",
  "javascript:alert(1)",
  "=1+1",
  "-1",
  "0x10",
  "1e309",
  "NaN",
  "null",
  "true",
  "9".repeat(30),
  "2026-13-45T99:99:99Z",
  "-271821-04-20T00:00:00.000Z",
  "0000-00-00",
  "* * * * * *",
  "0 0 31 2 *",
  "(a+)+$",
  "[".repeat(300),
  "x".repeat(5000),
  "ü".repeat(100_001),
];

const numbers = [0, -0, -1, 1.5, 1e21, -1e308, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 5e-324, Number.MAX_VALUE];

export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
);

const nested = (depth: number, open: string, close: string, core: unknown): unknown =>
  JSON.parse(open.repeat(depth) + JSON.stringify(core) + close.repeat(depth));

/** Any JSON value, edge cases first. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...numbers, null, true, false) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      [],
      {},
      [[]],
      [null],
      { constructor: { prototype: { isOwner: true } } },
      { toString: "x", valueOf: 1, length: -1, catch: "x" },
      { toJSON: "x", $ref: "#", $where: "1" },
      { "": "", " ": null, "a.b": 1, "\0": 2 },
      nested(150, "[", "]", 1),
      nested(250, '{"a":', "}", 1),
      Array.from({ length: 3000 }, (_, i) => i),
    ),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Bodies in place of the valid JSON body `json`. */
export const spoiledBody: fc.Arbitrary<(json: string) => Buffer> = fc
  .constantFrom<(json: string) => string | Buffer>(
    () => "",
    () => "   ",
    () => "null",
    () => "[]",
    () => '"text"',
    () => "{",
    () => "[".repeat(100_000),
    () => `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
    () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    () => `{"name":"${"x".repeat(3 * 1024 * 1024)}"}`,
    (json) => json.slice(0, -1),
    (json) => `\ufeff${json}`,
    (json) => `${json}${json}`,
    (json) => json.replace("{", '{"__proto__":{"isOwner":true},'),
    (json) => json.replace("{", '{"\\u005f_proto__":{"isOwner":true},'),
    (json) => json.replace("{", '{"name":"first","name":"second",'),
    (json) => json.replace("{", '{"big":1e999,'),
    (json) => json.replace("{", `{"long":${"1".repeat(400)},`),
    (json) => json.replace("{", '{"half":"\\ud800",'),
  )
  .map((spoil) => (json: string) => Buffer.from(spoil(json)));
