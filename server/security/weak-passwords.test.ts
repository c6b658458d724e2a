import { expect, test } from "vitest";
import { isWeakPassword } from "./weak-passwords.ts";

test.each([
  "password",
  "Password123!",
  "P@ssw0rd",
  "12345678",
  "1234567890",
  "87654321",
  "19900101",
  "qwertyuiop",
  "qwerty2024",
  "1q2w3e4r",
  "1qaz2wsx",
  "iloveyou",
  "letmein!!",
  "Summer2026",
  "abcdefgh",
  "aaaaaaaaaaaa",
  "abababab",
  "abc1abc1abc1",
  "abcdabcd",
  "aababbba",
  "lmnopqrstu",
  "0123456789012",
  "        ",
  "ada.lovelace",
  "ada.lovelace1",
  "ada.lovelace@example.com",
])("%j is weak", (password) => {
  expect(isWeakPassword(password, "Ada.Lovelace@example.com")).toBe(true);
});

test.each([
  "long enough",
  "correct horse battery staple",
  "password of ada",
  "vK9#tq2Lw",
  "482915730264",
  "Grüne Wolken",
])("%j is not", (password) => {
  expect(isWeakPassword(password, "ada@example.com")).toBe(false);
});

test("the name of an address counts from three letters on", () => {
  expect(isWeakPassword("xyz48291573", "xyz@example.com")).toBe(true);
  expect(isWeakPassword("xy48291573", "xy@example.com")).toBe(false);
});
