import { expect, test } from "vitest";
import { readQuestion } from "./question-content.ts";

test.each([
  [
    "What is the FY2018 capital expenditure of Halvard? Give a response by relying on the cash flow statement.",
    "What is the FY2018 capital expenditure of Halvard?",
  ],
  [
    "Is the quick ratio healthy? If the quick ratio is not relevant, please state that and explain why.",
    "Is the quick ratio healthy?",
  ],
  [
    "Assume that you are an equities analyst. Answer the following question by using the balance sheet: what is net PP&E? Answer in USD millions.",
    "what is net PP&E?",
  ],
  [
    "How often was inventory sold? Compute the turnover; if it is not meaningful then say so.",
    "How often was inventory sold? Compute the turnover;",
  ],
  [
    "What is the ROA? ROA is defined as: net income / average total assets. Round your answer to two decimals.",
    "What is the ROA?",
  ],
  ["Who pays for a taxi? Please answer in one sentence.", "Who pays for a taxi?"],
])("%s asks %s", (question, content) => {
  expect(readQuestion(question).content).toBe(content);
});

test.each([
  "Give me the answers of the board.",
  "You are closed on Monday. When can I come?",
  "I got no response from the landlord. If I leave, who pays?",
  "What does the manual say: round or square?",
  `An answer ${"of many words ".repeat(20)}: who reads it?`,
])("%s has no instructions", (question) => {
  expect(readQuestion(question).content).toBe(question);
});
