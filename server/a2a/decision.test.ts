import { expect, test } from "vitest";
import { toAnswer } from "./decision.ts";
import { dataPart, textPart } from "./message-parts.ts";

const decisionOf = (text: string) => toAnswer([textPart(text)])?.decision.decision;

test.each(["approve", "Approved.", " yes ", "OK!", "accept: fine", "confirmed"])("%j approves", (text) => {
  expect(decisionOf(text)).toBe("approve");
});

test.each(["reject", "Rejected.", "no", "No, too much", "declined", "deny"])("%j rejects", (text) => {
  expect(decisionOf(text)).toBe("reject");
});

test.each(["", "no problem", "yes or no?", "approve it later", "I approve", "noted"])(
  "%j decides nothing",
  (text) => {
    expect(decisionOf(text)).toBeUndefined();
  },
);

test("a decision as data has a comment and data of its own", () => {
  const given = { decision: "approve", comment: "Fine", data: { by: "Ann" } };
  expect(toAnswer([textPart("no"), dataPart(given)])).toEqual({ decision: given, question: undefined });
  expect(toAnswer([dataPart({ ...given, question: "q" })])).toEqual({ decision: given, question: "q" });
  expect(toAnswer([dataPart({ decision: "maybe" })])).toBeUndefined();
  expect(toAnswer([textPart("No, too much")])?.decision).toEqual({
    decision: "reject",
    comment: "too much",
    data: null,
  });
});
