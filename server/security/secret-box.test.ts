import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSecretBox } from "./secret-box.ts";

const oldKey = randomBytes(32);
const newKey = randomBytes(32);
const box = createSecretBox(oldKey);
const unreadable = expect.objectContaining({ name: "AppError", code: "secret_unreadable" });

test.each(["", "s3cret", "ключ 🔑 \0 with everything", "x".repeat(100_000)])(
  "a sealed text opens again",
  (text) => {
    expect(box.open(box.seal(text, "user_1/token"), "user_1/token")).toBe(text);
  },
);

test("the sealed text shows nothing of the secret and is never the same twice", () => {
  const sealed = box.seal("s3cret-value", "c");
  expect(sealed).not.toContain("s3cret");
  expect(sealed).not.toContain(Buffer.from("s3cret-value").toString("base64url"));
  expect(box.seal("s3cret-value", "c")).not.toBe(sealed);
});

test("a secret that is copied to another owner or name does not open", () => {
  const sealed = box.seal("s3cret", "user_1/token");
  expect(() => box.open(sealed, "user_2/token")).toThrow(unreadable);
});

test("a change to any part of the sealed text is noticed", () => {
  const sealed = box.seal("s3cret", "c");
  const parts = sealed.split(".");
  for (const index of parts.keys()) {
    const part = parts[index] ?? "";
    const changed = parts.with(index, (part.startsWith("A") ? "B" : "A") + part.slice(1)).join(".");
    expect(() => box.open(changed, "c"), changed).toThrow(unreadable);
  }
});

test("a single flipped bit of nonce, ciphertext or tag is rejected", () => {
  const [version, keyId, nonce = "", body = ""] = box.seal("s3cret", "c").split(".");
  const flips = (text: string) => {
    const bytes = Buffer.from(text, "base64url");
    return Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const copy = Buffer.from(bytes);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return copy.toString("base64url");
    });
  };
  for (const flipped of flips(nonce))
    expect(() => box.open([version, keyId, flipped, body].join("."), "c")).toThrow(unreadable);
  for (const flipped of flips(body))
    expect(() => box.open([version, keyId, nonce, flipped].join("."), "c")).toThrow(unreadable);
});

test.each(["", ".", "v1...", "v1", "v2.a.b.c", "plain text", "v1.a.b.c.d"])("%j is refused", (sealed) => {
  expect(() => box.open(sealed, "c")).toThrow(unreadable);
});

test("a truncated tag is rejected", () => {
  const [version, keyId, nonce, tag = ""] = box.seal("", "c").split(".");
  const fourBytes = Buffer.from(tag, "base64url").subarray(0, 4).toString("base64url");
  expect(() => box.open([version, keyId, nonce, fourBytes].join("."), "c")).toThrow(unreadable);
});

test("after a rotation the new key seals and both open", () => {
  const sealedBefore = box.seal("s3cret", "c");
  const rotated = createSecretBox([newKey, oldKey]);
  expect(rotated.open(sealedBefore, "c")).toBe("s3cret");
  const sealedAfter = rotated.seal("s3cret", "c");
  expect(createSecretBox(newKey).open(sealedAfter, "c")).toBe("s3cret");
  expect(() => box.open(sealedAfter, "c")).toThrow(unreadable);
  expect(() => box.open(sealedAfter, "c")).toThrow(/its key is not in ENCRYPTION_KEY/);
  expect(() => createSecretBox(newKey).open(sealedBefore, "c")).toThrow(unreadable);
});

test("a key of another length is rejected at once", () => {
  for (const length of [0, 16, 31, 33])
    expect(() => createSecretBox(Buffer.alloc(length))).toThrow(/exactly 32 bytes/);
});
