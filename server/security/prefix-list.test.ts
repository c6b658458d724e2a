import fc from "fast-check";
import { expect, test } from "vitest";
import { createPrefixList } from "./prefix-list.ts";

const letters = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength });

test("finds the longest text of the list that occurs at a position", () => {
  fc.assert(
    fc.property(fc.array(letters(5), { maxLength: 12 }), letters(10), (texts, text) => {
      const list = createPrefixList(texts);
      for (let start = 0; start <= text.length; start++) {
        const found = texts.filter((each) => text.startsWith(each, start)).map(({ length }) => length);
        expect(list.longestAt(text, start)).toBe(Math.max(0, ...found));
      }
    }),
  );
});
