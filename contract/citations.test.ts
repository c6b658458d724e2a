import { expect, test } from "vitest";
import { citedNumbers, splitCitations } from "./citations.ts";

test("citations are single numbers or groups, and other brackets are text", () => {
  expect(splitCitations("It has 6 bar [1]. It is [sic] red [2, 13].")).toEqual([
    "It has 6 bar ",
    [1],
    ". It is [sic] red ",
    [2, 13],
    ".",
  ]);
  expect([...citedNumbers("One [3]. Two [1, 3]. None [x].")]).toEqual([3, 1]);
});
