import { expect, test } from "vitest";
import { canonicalJson } from "./chain.ts";
import { changedFields, MAX_STATE_CHARACTERS, toStoredState } from "./state-change.ts";

const graph = {
  steps: [{ b: null, a: [1, null, { d: "ü", c: undefined }] }, "x".repeat(300)],
  2: {},
  10: [],
};

test("a stored state is the canonical JSON that is hashed, at every level", async () => {
  expect(await toStoredState({ name: "Shop", graph, folder: null })).toBe(
    canonicalJson({ name: "Shop", graph }),
  );
  expect(await toStoredState(null)).toBeNull();
});

test("of a large state the largest field is replaced by its length and hash", async () => {
  const large = { text: "x".repeat(MAX_STATE_CHARACTERS) };
  const stored = JSON.parse((await toStoredState({ name: "Shop", large })) ?? "") as object;
  expect(stored).toEqual({
    name: "Shop",
    large: { omitted: true, characters: canonicalJson(large).length, sha256: expect.any(String) },
  });
});

test("fields that differ only in the order of their keys have not changed", async () => {
  const before = { graph: { a: 1, b: { c: 1, d: null } }, name: "a" };
  const after = { graph: { b: { c: 1 }, a: 1 }, name: "b" };
  expect(await changedFields({ before, after })).toEqual({ before: { name: "a" }, after: { name: "b" } });
});
