import { expect, test } from "vitest";
import { parseExternalAgents, formatExternalAgents } from "./external-agents.ts";

test("agents from outside are written one a line and read back as they were", () => {
  const agents = [
    { name: "summarizer", capabilities: ["summarize", "translate"] },
    { name: "guest", capabilities: [] },
    { name: "far", capabilities: ["find"], url: "https://agents.example/a2a?team=@blue" },
    { name: "silent", capabilities: [], url: "http://127.0.0.1:9000/" },
  ];
  expect(parseExternalAgents(formatExternalAgents(agents))).toEqual(agents);
});

test("blank lines and stray spaces are nobody", () => {
  expect(parseExternalAgents("\n  a :  x ,, y \n\n")).toEqual([{ name: "a", capabilities: ["x", "y"] }]);
});
