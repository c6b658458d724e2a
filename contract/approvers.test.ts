import { describe, expect, test } from "vitest";
import { entriesFor, mayApprove } from "./approvers.ts";
import type { Role } from "./roles.ts";
import { approvalStep } from "./steps/approval.ts";

const member = (role: Role, email = "ann@example.com") => ({ email, role });

describe("approvers", () => {
  test.each([
    [null, "operator", true],
    [null, "viewer", false],
    [["ANN@example.com".toLowerCase()], "operator", true],
    [["ann@example.com"], "viewer", false],
    [["bob@example.com"], "owner", false],
    [["role:admin"], "owner", true],
    [["role:admin"], "admin", true],
    [["role:admin"], "builder", false],
    [["role:admin", "ann@example.com"], "operator", true],
    [["role:unknown"], "owner", false],
  ] as const)("%j with the role %s: %s", (approvers, role, expected) => {
    expect(mayApprove(approvers, member(role, "Ann@Example.com"))).toBe(expected);
    if (approvers !== null && role !== "viewer")
      expect(entriesFor(member(role)).some((entry) => approvers.includes(entry as never))).toBe(expected);
  });

  test.each([
    ["ada@example.com, role:admin", true],
    [["ada@example.com", "{{input.manager}}"], true],
    ["{{steps.find.output.manager}}", true],
    ["role:owner", true],
    ["role:viewer", false],
    ["role:boss", false],
    ["Ada", false],
    [[], false],
    ["", false],
    [7, false],
  ])("the field with %j is valid: %s", (value, valid) => {
    expect(approvalStep.fields["approvers"]!.safeParse(value).success).toBe(valid);
  });

  test.each([
    ["a@x.de, b@x.de", 2, true],
    ["a@x.de, b@x.de", 3, false],
    [["a@x.de", "A@x.de"], 2, false],
    ["role:admin", 5, true],
    ["{{input.manager}}", 5, true],
    [undefined, 5, true],
  ])("of %j, %s approvals are possible: %s", (approvers, requiredApprovals, possible) => {
    const problems = approvalStep.check!({ approvers, requiredApprovals });
    expect(problems.length === 0).toBe(possible);
    if (!possible) expect(problems[0]).toMatchObject({ code: "invalid_field", field: "requiredApprovals" });
  });

  test.each([
    [{ timeoutMs: 10, remindBeforeMs: 5, notifyEmail: "a@example.com" }, undefined],
    [{ timeoutMs: 10, remindBeforeMs: "{{input.wait}}", notifyEmail: "a@example.com" }, undefined],
    [{ timeoutMs: 10, remindBeforeMs: 10, notifyEmail: "a@example.com" }, "must be less than `timeoutMs`"],
    [{ remindBeforeMs: 5, notifyEmail: "a@example.com" }, "needs `timeoutMs`"],
    [{ timeoutMs: 10, remindBeforeMs: 5 }, "needs `notifyEmail`"],
  ])("a reminder that is never sent is a problem: %j", (step, message) => {
    const problems = approvalStep.check!(step);
    expect(problems).toMatchObject(
      message === undefined
        ? []
        : [{ field: "remindBeforeMs", message: expect.stringContaining(message) as string }],
    );
    expect(problems).toHaveLength(message === undefined ? 0 : 1);
  });
});
