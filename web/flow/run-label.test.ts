import { expect, test } from "vitest";
import { versionLabel } from "./run-label.ts";

test("a version is named by its number, a draft as such, and the state before the first publish in words", () => {
  expect([14, -3, 0].map(versionLabel)).toEqual(["v14", "Draft", "Not published"]);
});
