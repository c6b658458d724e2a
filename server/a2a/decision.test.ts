import { expect, test } from "vitest";
import { toDecision } from "./decision.ts";
import { dataPart, textPart } from "./message-parts.ts";

const decisionOf = (text: string) => toDecision([textPart(text)])?.decision;

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
  expect(toDecision([textPart("no"), dataPart(given)])).toEqual(given);
  expect(toDecision([dataPart({ decision: "maybe" })])).toBeUndefined();
  expect(toDecision([textPart("No, too much")])).toEqual({
    decision: "reject",
    comment: "too much",
    data: null,
  });
});
