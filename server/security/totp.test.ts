import { expect, test } from "vitest";
import { createTotpSecret, findTotpStep, toBase32, totpCode, totpStepAt, totpUri } from "./totp.ts";

const secret = toBase32(Buffer.from("12345678901234567890"));

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("the code at second %d is the one of RFC 6238", (second, code) => {
  expect(totpCode(secret, totpStepAt(second * 1000))).toBe(code);
});

test.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("%j in base 32 is the text of RFC 4648", (bytes, text) => {
  expect(toBase32(Buffer.from(bytes))).toBe(text);
});

test("a code is accepted during its own step, the one before and the one after", () => {
  const step = 1000;
  const code = totpCode(secret, step);
  const stepAt = (offset: number) => findTotpStep(secret, code, (step + offset) * 30_000 + 5);
  expect([-2, -1, 0, 1, 2].map(stepAt)).toEqual([undefined, step, step, step, undefined]);
});

test("a text that is no code is wrong", () => {
  for (const text of ["", "12345", "1234567", "١٢٣", "abcdef"])
    expect(findTotpStep(secret, text, 59_000)).toBeUndefined();
});

test("secrets have 160 random bits, and the address names the issuer and the account", () => {
  const [first, second] = [createTotpSecret(), createTotpSecret()];
  expect(first).toMatch(/^[A-Z2-7]{32}$/);
  expect(first).not.toBe(second);
  expect(totpUri("ABC", "Baton at work", "ada@example.com")).toBe(
    "otpauth://totp/Baton%20at%20work:ada%40example.com?secret=ABC&issuer=Baton%20at%20work",
  );
});
