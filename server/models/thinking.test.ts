import { expect, test } from "vitest";
import { createThinkingFilter, stripThinking } from "./thinking.ts";

const samples: [string, string][] = [
  ["<think>two and two</think>\n\nFour.", "Four."],
  ["\n <think>a</think> <think>b</think>Four.", "Four."],
  ["<think></think>Four.", "Four."],
  ["<think>never closed", ""],
  ["Four.", "Four."],
  ["  Four.", "  Four."],
  ["Use <think>x</think> tags.", "Use <think>x</think> tags."],
  ['{"html": "<think>x</think>"}', '{"html": "<think>x</think>"}'],
  ["<thin", "<thin"],
  ["<thinker>", "<thinker>"],
  ["", ""],
];

test.each(samples)("%j becomes %j", (text, expected) => {
  expect(stripThinking(text)).toBe(expected);
});

test.each(samples)("%j in pieces becomes the same, wherever it is cut", (text, expected) => {
  for (let size = 1; size <= text.length; size++) {
    const filter = createThinkingFilter();
    let result = "";
    for (let at = 0; at < text.length; at += size) result += filter.push(text.slice(at, at + size));
    expect(result + filter.end()).toBe(expected);
  }
});
