import { scryptSync } from "node:crypto";
import { expect, test } from "vitest";
import { createPasswords } from "./passwords.ts";

const { hash, verify } = createPasswords();
const { verify: verifyAtLowCost } = createPasswords({ logN: 10, r: 8, p: 1 });

test("the right password verifies and a wrong one does not", async () => {
  const stored = await hash("correct horse");
  expect(await verify("correct horse", stored)).toBe(true);
  expect(await verify("correct horsf", stored)).toBe(false);
  expect(await verifyAtLowCost("", stored)).toBe(false);
});

test("the stored text is salted, contains its cost and nothing of the password", async () => {
  const [one, two] = await Promise.all([hash("same words"), hash("same words")]);
  expect(one).not.toBe(two);
  expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  expect(one).not.toContain("same");
});

test("a hash that was stored at a lower cost still verifies", async () => {
  const salt = Buffer.from("sixteen bytes...");
  const hash = scryptSync("old password", salt, 32, { N: 2 ** 10, r: 8, p: 1 });
  const stored = `$scrypt$ln=10,r=8,p=1$${salt.toString("base64url")}$${hash.toString("base64url")}`;
  expect(await verify("old password", stored)).toBe(true);
  expect(await verify("new password", stored)).toBe(false);
});

test("an unknown user is rejected", async () => {
  expect(await verify("anything", undefined)).toBe(false);
});

test("a hash that was cut short verifies nothing, not even its own password", async () => {
  const salt = Buffer.from("sixteen bytes...");
  const hash = scryptSync("password", salt, 32, { N: 2 ** 10, r: 8, p: 1 });
  const storedWith = (bytes: number) =>
    `$scrypt$ln=10,r=8,p=1$${salt.toString("base64url")}$${hash.subarray(0, bytes).toString("base64url")}`;
  expect(await verify("password", storedWith(32))).toBe(true);
  for (const bytes of [31, 8, 1]) expect(await verify("password", storedWith(bytes))).toBe(false);
});

test("an unknown user costs the work of a known one: the time reveals no account", async () => {
  // A cost beyond the limit of memory fails, which shows that the hash is computed.
  const { verify: verifyAtTooMuch } = createPasswords({ logN: 20, r: 8, p: 1 });
  await expect(verifyAtTooMuch("anything", undefined)).rejects.toThrow(/memory/i);
  await expect(verifyAtTooMuch("anything", "damaged")).rejects.toThrow(/memory/i);
});

test("composed and decomposed spellings are one password", async () => {
  const stored = await hash("caf\u00e9 au lait");
  expect(await verify("cafe\u0301 au lait", stored)).toBe(true);
});

test.each([
  ["empty", ""],
  ["another scheme", "$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA"],
  ["no hash", "$scrypt$ln=15,r=8,p=1$c2FsdA$"],
  ["a hash of no bytes", "$scrypt$ln=15,r=8,p=1$c2FsdA$_"],
  ["a hash cut short", "$scrypt$ln=10,r=8,p=1$c2FsdA$aGFzaA"],
  ["a cost of gigabytes", `$scrypt$ln=40,r=8,p=1$c2FsdA$${"A".repeat(43)}`],
  ["no iterations", `$scrypt$ln=0,r=8,p=1$c2FsdA$${"A".repeat(43)}`],
  ["no block size", `$scrypt$ln=10,r=0,p=1$c2FsdA$${"A".repeat(43)}`],
  ["no parallelization", `$scrypt$ln=10,r=8,p=0$c2FsdA$${"A".repeat(43)}`],
  ["a cost of nothing", `$scrypt$ln=0,r=0,p=0$c2FsdA$${"A".repeat(43)}`],
])("a damaged stored hash (%s) rejects every password", async (_name, stored) => {
  expect(await verifyAtLowCost("", stored)).toBe(false);
});
