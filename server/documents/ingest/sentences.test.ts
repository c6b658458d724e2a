import { expect, test } from "vitest";
import { splitSentences } from "./sentences.ts";

const split = (text: string): string[] =>
  splitSentences(text).map(({ start, end }) => text.slice(start, end));

test("sentences end at stops and at line breaks", () => {
  expect(split("Close the tap. Is it dry? Then wait!\nTechnical data\nWeight 11.4 kg")).toEqual([
    "Close the tap.",
    "Is it dry?",
    "Then wait!",
    "Technical data",
    "Weight 11.4 kg",
  ]);
});

test("abbreviations, initials and decimal points end no sentence", () => {
  expect(split("Dr. Renn saw J. Smith, e.g. on Monday. See Fig. 3 for the 2.5 bar limit.")).toEqual([
    "Dr. Renn saw J. Smith, e.g. on Monday.",
    "See Fig. 3 for the 2.5 bar limit.",
  ]);
});

test("closing quotes stay with their sentence, and blank text has none", () => {
  expect(split('He said "Stop." Then he left.')).toEqual(['He said "Stop."', "Then he left."]);
  expect(split(" \n ")).toEqual([]);
});
