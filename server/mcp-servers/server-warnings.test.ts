import { expect, test } from "vitest";
import type { McpTool } from "../../contract/mcp-servers.ts";
import { createServerWarnings } from "./server-warnings.ts";

test("a step with an unknown server or tool is found behind hundreds of others", async () => {
  const add: McpTool = { name: "add", title: null, description: "", inputSchema: {}, isReadOnly: true };
  const warningsOf = createServerWarnings({
    known: (_ownerId, ids) => Promise.resolve(new Set(ids.filter((id) => id === "mcp_1"))),
    recentTools: () => Promise.resolve([add]),
  });
  const call = (stepId: string, server: string, tool: string) => ({ stepId, type: "mcp", server, tool });
  const right = Array.from({ length: 300 }, (_, n) => call(`s${n}`, "mcp_1", "add"));
  const steps = [...right, call("server", "mcp_2", "add"), call("tool", "mcp_1", "ad")];
  const warnings = await warningsOf("alice", { steps });
  expect(warnings.map(({ stepId, code }) => [stepId, code])).toEqual([
    ["server", "unknown_mcp_server"],
    ["tool", "unknown_mcp_tool"],
  ]);
});
