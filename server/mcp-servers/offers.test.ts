import { expect, test } from "vitest";
import { createOffers } from "./offers.ts";
import type { ServerCalls } from "./server-calls.ts";

test("a list of tools is kept for a minute, unless it is long", async () => {
  let reads = 0;
  const tool = { name: "work", description: "", inputSchema: { type: "object" } };
  function offersOf(tools: object[]) {
    const client = { getServerCapabilities: () => ({ tools: {} }), listTools: async () => ({ tools }) };
    const call = async (_options: unknown, read: (session: unknown) => unknown) => {
      reads += 1;
      return read({ client });
    };
    return createOffers({
      calls: { call } as unknown as ServerCalls,
      clock: { now: () => 0, monotonic: () => 0 },
    });
  }
  const short = offersOf([tool]);
  for (let i = 0; i < 3; i++) expect(await short.tools("ada", "mcp_1")).toHaveLength(1);
  expect(reads).toBe(1);
  const long = offersOf(Array.from({ length: 10_000 }, () => tool));
  for (let i = 0; i < 3; i++) expect(await long.tools("ada", "mcp_1")).toHaveLength(10_000);
  expect(reads).toBe(4);
});
