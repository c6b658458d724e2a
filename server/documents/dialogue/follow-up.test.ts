import { describe, expect, test } from "vitest";
import { resolveFollowUp } from "./follow-up.ts";

const turn = (question: string, answer = "“It is so.” (Manual, page 1)") => ({ question, answer });

describe("a follow-up carries what it leaves out", () => {
  test.each([
    ["What was the revenue in 2023?", "and in 2024?", "What was the revenue in 2024?"],
    ["What was the revenue in 2023?", "2022?", "What was the revenue in 2022?"],
    [
      "What is the greatest pressure of the Halden pump?",
      "And the Orsk?",
      "What is the greatest pressure of the Orsk pump?",
    ],
    [
      "What is the greatest pressure of the Halden 40?",
      "What about the Orsk 12?",
      "What is the greatest pressure of the Orsk 12?",
    ],
    [
      "What is the greatest pressure of the Halden?",
      "and Orsk?",
      "What is the greatest pressure of the Orsk?",
    ],
    ["How long is the notice period?", "and for managers?", "How long is the notice period for managers?"],
    ["What is the price of the pump?", "and the weight?", "The weight of the pump?"],
    ["What is the Halden Report about pumps?", "Who wrote it?", "Who wrote Halden Report?"],
    [
      "What is the greatest pressure of the pump?",
      "How long is its warranty?",
      "How long is the pump’s warranty?",
    ],
    ["What is the Halden 40?", "How much is it?", "How much is Halden 40?"],
    ["Which seals does the Halden 40 need?", "and where are they made?", "Where are Halden 40 made?"],
    [
      "What happens when a charge is declined twice?",
      "Why?",
      "Why? What happens when a charge is declined twice?",
    ],
    ["Wie hoch war der Umsatz 2023?", "und 2024?", "Wie hoch war der Umsatz 2024?"],
  ])("%s → %s", (earlier, query, resolved) => {
    expect(resolveFollowUp(query, [turn(earlier)])).toBe(resolved);
  });

  test("a person is taken from the answer", () => {
    const history = [
      turn("Who leads the company?", "“The board is led by Anna Berg.” (Annual Report, page 2)"),
    ];
    expect(resolveFollowUp("When did she start?", history)).toBe("When did Anna Berg start?");
  });

  test("each question is resolved with the one before it", () => {
    const history = [turn("What was the revenue of Northwind in 2022?"), turn("and in 2023?")];
    expect(resolveFollowUp("And of Contoso?", history)).toBe("What was the revenue of Contoso in 2023?");
  });
});

describe("no follow-up", () => {
  const history = [turn("What was the revenue of Northwind in 2023?", "“Anna Berg reported 12 million.”")];
  test.each([
    "How often is the gearbox oil changed?",
    "What is photosynthesis?",
    "refund policy",
    "email address of the landlord",
    "List the duties of the landlord",
    "And what is the notice period of the lease?",
    "In which year was the company founded?",
    "Does the pump leak when it runs?",
    "Is it possible to cancel the order?",
    "What is this document about?",
    "What is it about?",
    "Which rules apply to those who travel abroad?",
    "When did Contoso sell its mills?",
    "Gibt es eine Garantie?",
  ])("the complete question %s is unchanged", (query) => {
    expect(resolveFollowUp(query, history)).toBe(query);
  });

  test("without a dialogue nothing is carried", () => {
    expect(resolveFollowUp("and in 2024?", [])).toBe("and in 2024?");
  });
});
