import { expect, test } from "vitest";
import { folderTree, isInFolder, joinFolder, parentFolder } from "./folder-tree.ts";

test("a tree has the folders above, and each folder before its subfolders", () => {
  expect(folderTree(["Support/Mail/Old", "Finance", "Support", "Finance & law"])).toEqual([
    { path: "Finance", name: "Finance", depth: 0 },
    { path: "Finance & law", name: "Finance & law", depth: 0 },
    { path: "Support", name: "Support", depth: 0 },
    { path: "Support/Mail", name: "Mail", depth: 1 },
    { path: "Support/Mail/Old", name: "Old", depth: 2 },
  ]);
});

test("a folder with a similar name is not a subfolder", () => {
  expect(isInFolder("Finance/2026", "Finance")).toBe(true);
  expect(isInFolder("Finance & law", "Finance")).toBe(false);
  expect([parentFolder("a"), parentFolder("a/b"), joinFolder("", "a"), joinFolder("a", "b")]).toEqual([
    "",
    "a",
    "a",
    "a/b",
  ]);
});
