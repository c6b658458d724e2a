import { expect, test } from "vitest";
import { canonicalJson, readIdempotencyKey } from "./idempotency.ts";

const hashOf = (scope: string, body: unknown) => readIdempotencyKey("k", scope, body)?.bodyHash;

test("without the header there is no idempotency key", () => {
  expect(readIdempotencyKey(undefined, "scope", {})).toBeUndefined();
});

test("equal bodies have the same hash regardless of key order; different bodies have different hashes", () => {
  const hash = hashOf("scope", { a: 1, b: { c: [1, 2], d: null } });
  expect(hashOf("scope", { b: { d: null, c: [1, 2] }, a: 1 })).toBe(hash);
  for (const other of [
    { a: 1, b: { c: [2, 1], d: null } },
    { a: "1", b: { c: [1, 2], d: null } },
    {},
    [],
    null,
  ]) {
    expect(hashOf("scope", other)).not.toBe(hash);
  }
  expect(hashOf("other scope", { a: 1, b: { c: [1, 2], d: null } })).not.toBe(hash);
});

test("canonical JSON parses to the same value", () => {
  const value = { z: [1, "ü\n", { y: null, x: true }], "": { b: {}, a: [] }, 10: 1, 9: 2 };
  expect(JSON.parse(canonicalJson(value))).toEqual(value);
  expect(canonicalJson(undefined)).toBe("null");
});

test.each(["", "a b", "ü", "k".repeat(256), ["a", "b"]])("%j is not a valid key", (header) => {
  expect(() => readIdempotencyKey(header, "scope", {})).toThrow(
    expect.objectContaining({ code: "invalid_request" }),
  );
});
