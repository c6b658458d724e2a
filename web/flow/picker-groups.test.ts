import { expect, test } from "vitest";
import { nextCategory, type PickerCategory, pickerGroups } from "./picker-groups.ts";
import { addables, searchSteps } from "./search-steps.ts";

const all = addables({ workflows: [{ id: "wf_1", name: "Send an invoice" }] });

function groupsFor(text: string, category: PickerCategory = "all") {
  const groups = pickerGroups(all, searchSteps(all, text), {
    text,
    category,
    suggested: ["http", "llm"],
    recent: ["http", "delay"],
  });
  return new Map(groups.map(({ title, found }) => [title, found.map(({ entry }) => entry.key)]));
}

test("before typing, suggested and recent steps come first, each step in one of them", () => {
  const groups = groupsFor("");
  expect([...groups.keys()].slice(0, 2)).toEqual(["Suggested", "Recent"]);
  expect(groups.get("Suggested")).toEqual(["http", "llm"]);
  expect(groups.get("Recent")).toEqual(["delay"]);
});

test("a category shows its own steps only", () => {
  expect([...groupsFor("", "workspace")]).toEqual([["My workspace", ["workflow:wf_1"]]]);
});

test("the group of the best match comes first", () => {
  expect([...groupsFor("invoice").keys()][0]).toBe("My workspace");
});

test("a search without a match offers steps that can do anything", () => {
  expect([...groupsFor("zzz")]).toEqual([["Instead", ["http", "transform"]]]);
});

test("categories are a circle", () => {
  expect(nextCategory("all", -1)).toBe("trigger");
  expect(nextCategory("trigger", 1)).toBe("all");
});
