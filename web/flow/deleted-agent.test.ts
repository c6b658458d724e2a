import { expect, test } from "vitest";
import { isDeletedAgent } from "./deleted-agent.ts";

test("an agent counts as deleted once all agents are loaded and it is not among them", () => {
  const agents = [{ id: "agent-1" }];
  expect(isDeletedAgent("agent-2", agents)).toBe(true);
  expect(isDeletedAgent("agent-1", agents)).toBe(false);
  expect(isDeletedAgent("agent-2", undefined)).toBe(false);
  for (const agentId of ["", undefined, null, "{{input.agent}}"])
    expect(isDeletedAgent(agentId, agents)).toBe(false);
});
