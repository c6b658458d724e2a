import { expect, test } from "vitest";
import { actionLabel, actionOf } from "./audit-labels.ts";

test.each([
  ["updateWorkflow", "Update workflow"],
  ["login", "Login"],
  ["oidc.setRole", "Set role (single sign-on)"],
  ["admin.enable", "Enable (command)"],
])("%s is shown as %s and found by it", (action, label) => {
  expect(actionLabel(action)).toBe(label);
  expect(actionOf(label)).toBe(action);
  expect(actionOf(action.includes(".") ? label : action)).toBe(action);
});

test("a label is found whatever its capitals", () => {
  expect(actionOf("Put Variable")).toBe("putVariable");
});
