import { expect, test } from "vitest";
import { atOnce } from "./in-turns.ts";
import { serialize, serializeInParts } from "./serialize-json.ts";

const many = <T>(make: (i: number) => T, count = 8_000): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const keyed = (value: unknown): object => Object.fromEntries(many((i) => [`k${i}`, value]));
const emoji = "a😀".repeat(30_000);

const VALUES: [string, unknown][] = [
  ["a text", emoji],
  ["a number", 1.5],
  ["a list of empty lists and objects", many((i) => (i % 2 === 0 ? [] : {}))],
  ["a list with large and small items", [1, many(String), null, keyed([1]), [emoji, "x"], emoji, {}]],
  ["an object with many keys", keyed({ a: null, 1: [] })],
  ["an object with large members", { a: many((i) => ({ i })), 'b"': emoji, c: { d: keyed(true) }, e: {} }],
  [
    "nothing in a list, and nothing under a key",
    { a: [undefined, many(() => undefined)], b: undefined, c: many(Number) },
  ],
  ["a value that occurs several times", Array(40).fill(many((i) => ({ i })))],
];

test.each(VALUES)("%s has the text of JSON.stringify", (_name, value) => {
  expect(atOnce(serializeInParts(value)) === JSON.stringify(value)).toBe(true);
  expect(atOnce(serializeInParts(value, { indent: true })) === JSON.stringify(value, null, 2)).toBe(true);
});

test("sorted keys have the same text whatever their order, at every level", () => {
  const forth = many((i) => [`k${i}`, { b: [{ d: 1, c: 2 }], a: 1 }] as const);
  const back = many((i) => [`k${i}`, { a: 1, b: [{ c: 2, d: 1 }] }] as const).toReversed();
  const text = atOnce(serializeInParts(Object.fromEntries(forth), { sortKeys: true }));
  expect(text === atOnce(serializeInParts(Object.fromEntries(back), { sortKeys: true }))).toBe(true);
  expect(text.slice(0, 50)).toBe('{"k0":{"a":1,"b":[{"c":2,"d":1}]},"k1":{"a":1,"b":');
  expect(Object.keys(JSON.parse(text) as object)).toEqual(forth.map(([key]) => key).sort());
});

test("no part is large", () => {
  const work = serializeInParts([many(() => [], 300_000), emoji.repeat(10), keyed(1)]);
  let parts = 0;
  while (work.next().done !== true) parts += 1;
  expect(parts).toBeGreaterThan(50);
});

test("the keys of a large object are listed once in a part: a hundred thousand take tens of milliseconds", () => {
  let listed = 0;
  const ownKeys = (target: object): (string | symbol)[] => {
    listed += 1;
    return Reflect.ownKeys(target);
  };
  const work = serializeInParts({ a: new Proxy(keyed(1), { ownKeys }) });
  const byPart: number[] = [];
  for (let before = 0, done: boolean | undefined = false; done !== true; before = listed) {
    done = work.next().done;
    byPart.push(listed - before);
  }
  expect([listed, Math.max(...byPart)]).toEqual([2, 1]);
});

test("a small value is serialised at once, a large one in turns", async () => {
  expect(serialize({ a: [1, "b"] })).toBe('{"a":[1,"b"]}');
  expect(serialize({ a: [1] }, { indent: true })).toBe('{\n  "a": [\n    1\n  ]\n}');
  const large = many((i) => ({ i }), 20_000);
  const pending = serialize(large);
  expect(pending).toBeInstanceOf(Promise);
  expect((await pending) === JSON.stringify(large)).toBe(true);
  expect((await serialize(large, { indent: true })) === JSON.stringify(large, null, 2)).toBe(true);
  // Long names, and many lists without items, take as long as text.
  expect(serialize({ ["k".repeat(200_000)]: 1 })).toBeInstanceOf(Promise);
  expect(serialize(many(() => [], 20_000))).toBeInstanceOf(Promise);
});

test("sorted and indented, empty lists and objects are still two brackets", () => {
  const value = { b: [], a: {} };
  const text = atOnce(serializeInParts(value, { sortKeys: true, indent: true }));
  expect(text).toBe('{\n  "a": {},\n  "b": []\n}');
});
