import fc from "fast-check";
import { expect, test } from "vitest";
import { createMeasure } from "../../contract/placeholders/json-size.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { createListPieces, joinPieces, piecesOf } from "./value-pieces.ts";

/** Two of them fill a piece. */
const LONG = "x".repeat(150_000);
const noTurn = (): Promise<void> => Promise.resolve();

test.each<[string, JsonValue]>([
  ["text", LONG.repeat(4)],
  ["null", null],
  ["an empty list", []],
  ["a list", [LONG, LONG, LONG, 1, LONG, LONG]],
  ["an object with short fields after a large one", { a: 1, b: [LONG, LONG, LONG], c: { d: null }, e: LONG }],
  [
    "large values in large values",
    [1, { a: [[LONG, LONG], [LONG, LONG], []], b: [{}, LONG, [LONG, LONG]] }, 2],
  ],
])("%s is the same after it was split and joined", async (_name, value) => {
  const pieces = piecesOf(value);
  expect(JSON.stringify(await joinPieces(pieces, noTurn)) === JSON.stringify(value)).toBe(true);
});

test("any value is the same after it was split and joined", async () => {
  const texts = fc.oneof(fc.constant(LONG), fc.string());
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      texts,
      fc.array(tie("value"), { maxLength: 5 }),
      fc.dictionary(fc.string({ maxLength: 3 }), tie("value"), { maxKeys: 5, noNullPrototype: true }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(value, async (any) => {
      expect(JSON.stringify(await joinPieces(piecesOf(any), noTurn)) === JSON.stringify(any)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("no piece of a list or object is much larger than the others, and each is parsed in a turn of its own", async () => {
  const items = Array.from({ length: 20_000 }, (_, i) => ({ id: i, name: `Item ${i}` }));
  const pieces = piecesOf({
    list: items,
    byId: Object.fromEntries(items.map((item) => [`i${item.id}`, item])),
  });
  expect(Math.max(...pieces.map(({ json }) => json.length))).toBeLessThan(300_000);
  let turns = 0;
  await joinPieces(pieces, async () => void (turns += 1));
  expect(turns).toBe(pieces.length - 1);
  expect(turns).toBeGreaterThan(5);
});

test("items that arrive one by one have the pieces of their list", () => {
  const measure = createMeasure();
  const list = createListPieces(measure);
  const items = [LONG, { a: [LONG, LONG] }, LONG, LONG, 1];
  for (const item of items) list.add(item, measure(item, Number.POSITIVE_INFINITY));
  expect(list.end()).toEqual(piecesOf(items));
});
