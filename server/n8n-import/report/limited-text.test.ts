import { expect, test } from "vitest";
import { imported, set } from "../testing/import-nodes.ts";
import { limitedSentences, limitedText } from "./limited-text.ts";

test("sentences that do not fit are counted, and never cut", () => {
  const sentences = Array.from({ length: 100 }, (_, at) => `Check the field number ${at}.`);
  const text = limitedSentences(sentences, 500);
  expect(text.length).toBeLessThanOrEqual(500);
  const shown = text.split(". ").length - 1;
  expect(text).toMatch(
    new RegExp(`number ${shown - 1}\\. And ${100 - shown} more, which do not fit here\\.$`),
  );
  expect(limitedSentences(["One.", "Two."], 500)).toBe("One. Two.");
  expect(limitedSentences(["x".repeat(900), "Two."], 500)).toMatch(/\(\d+ more characters\) And 1 more, /);
});

test("a text that does not fit says how much is missing", () => {
  expect(limitedText("short", 200)).toBe("short");
  expect(limitedText("x".repeat(300), 200)).toBe(`${"x".repeat(140)}… (160 more characters)`);
});

test("lines after the 2,000th are counted on the node where they begin, and the report has the number of all", () => {
  const names = Array.from({ length: 60 }, (_, at) => `n${at}`);
  const all = [names.filter((name) => name !== "n0")];
  const lines = Object.fromEntries(names.slice(0, 40).map((name) => [name, all]));
  const { source, nodes } = imported(
    names.map((name) => ({ name, type: "noOp" })),
    lines,
  );
  expect(source.lines).toBe(40 * 59);
  expect(nodes[33]?.note).toContain("6 lines that begin here were not imported: 2,000 are read of a file.");
  expect(nodes[33]?.result).toBe("check");
  expect(nodes[32]?.note).not.toContain("not imported");
});

test("a report that does not show every expression of a node says so", () => {
  const assignments = Array.from({ length: 230 }, (_, at) => ({
    name: `f${at}`,
    value: `={{ $json.f${at} }}`,
  }));
  const { nodes } = imported([{ name: "Many", ...set(""), parameters: { assignments: { assignments } } }]);
  expect(nodes[0]?.expressions).toHaveLength(200);
  expect(nodes[0]?.note).toContain("30 more expressions are in the step.");
});
