import { expect, test } from "vitest";
import { namesOf } from "./file-path.ts";

test.each(["..", "../a", ". .", "...", "a/.. ", "NUL.txt", "c:"])("%j is refused", (path) => {
  expect(() => namesOf(path)).toThrow();
});

test("a name of dots is read in linear time", () => {
  expect(() => namesOf(`${".".repeat(1_000_000)}x`)).toThrow("too long");
});
