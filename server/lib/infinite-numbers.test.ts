import { expect, test } from "vitest";
import { hasInfiniteNumber } from "./infinite-numbers.ts";

const check = (text: string) => hasInfiniteNumber(text, JSON.parse(text));

test("a number beyond the largest is found, however it is written", () => {
  const huge = [
    "1e400",
    "-1E+999",
    `1${"0".repeat(309)}`,
    `1${"0".repeat(309)}.5`,
    "12345e305",
    `1${"0".repeat(210)}e99`,
  ];
  for (const number of huge) expect(check(`{"a": [{"b": ${number}}]}`), number).toBe(true);
});

test("large and long numbers that fit, and text, are not", () => {
  const fine = ["1e308", "1e-400", `0.${"1".repeat(400)}`, '"1e400"', `"${"1".repeat(400)}"`, "null"];
  for (const value of fine) expect(check(`[${value}]`), value).toBe(false);
});

test("megabytes of digits are read in one pass", { timeout: 20_000 }, () => {
  // Half a minute on an idle machine when every digit starts its own search.
  expect(hasInfiniteNumber(`${"1".repeat(299)},`.repeat(200_000), null)).toBe(false);
});
