import { expect, test } from "vitest";
import { createApiKey, createSecret, hashKey, secretsEqual } from "./api-keys.ts";

test("a key is baton_ and 256 random bits, with a hash and a prefix that do not reveal it", () => {
  const { rawKey, hash, prefix } = createApiKey();
  expect(rawKey).toMatch(/^baton_[\w-]{43}$/);
  expect(rawKey.startsWith(prefix)).toBe(true);
  expect(prefix).toHaveLength(12);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hash).toBe(hashKey(rawKey));
});

test("the hash is SHA-256 of the text", () => {
  expect(hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("no two secrets are equal", () => {
  const secrets = new Set(Array.from({ length: 1000 }, createSecret));
  expect(secrets.size).toBe(1000);
  for (const secret of secrets) expect(Buffer.from(secret, "base64url")).toHaveLength(32);
});

test("[S16] secrets are equal only when every character is, whatever their lengths", () => {
  expect(secretsEqual("s3cret", "s3cret")).toBe(true);
  expect(secretsEqual("", "")).toBe(true);
  for (const wrong of ["", "s3cre", "s3crets", "S3cret", "s3cret\0", "ѕ3cret"])
    expect(secretsEqual(wrong, "s3cret")).toBe(false);
});
