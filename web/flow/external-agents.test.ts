import { expect, test } from "vitest";
import { parseExternalAgents, formatExternalAgents } from "./external-agents.ts";

test("external agents are formatted one per line and parsed back unchanged", () => {
  const agents = [
    { name: "summarizer", capabilities: ["summarize", "translate"] },
    { name: "guest", capabilities: [] },
    { name: "far", capabilities: ["find"], url: "https://agents.example/a2a?team=@blue" },
    { name: "silent", capabilities: [], url: "http://127.0.0.1:9000/" },
  ];
  expect(parseExternalAgents(formatExternalAgents(agents))).toEqual(agents);
});

test("blank lines and extra spaces are ignored", () => {
  expect(parseExternalAgents("\n  a :  x ,, y \n\n")).toEqual([{ name: "a", capabilities: ["x", "y"] }]);
});
