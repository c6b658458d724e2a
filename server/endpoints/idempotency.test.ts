import { expect, test } from "vitest";
import { readIdempotencyKey } from "./idempotency.ts";

const hashOf = async (scope: string, body: unknown) => (await readIdempotencyKey("k", scope, body))?.bodyHash;

test("without the header there is no idempotency key", () => {
  expect(readIdempotencyKey(undefined, "scope", {})).toBeUndefined();
});

test("equal bodies have the same hash regardless of key order; different bodies have different hashes", async () => {
  const hash = await hashOf("scope", { a: 1, b: { c: [1, 2], d: null } });
  expect(await hashOf("scope", { b: { d: null, c: [1, 2] }, a: 1 })).toBe(hash);
  for (const other of [
    { a: 1, b: { c: [2, 1], d: null } },
    { a: "1", b: { c: [1, 2], d: null } },
    {},
    [],
    null,
  ]) {
    expect(await hashOf("scope", other)).not.toBe(hash);
  }
  expect(await hashOf("other scope", { a: 1, b: { c: [1, 2], d: null } })).not.toBe(hash);
});

test.each(["", "a b", "ü", "k".repeat(256), ["a", "b"]])("%j is not a valid key", (header) => {
  expect(() => readIdempotencyKey(header, "scope", {})).toThrow(
    expect.objectContaining({ code: "invalid_request" }),
  );
});
