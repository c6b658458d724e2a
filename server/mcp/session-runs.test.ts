import { expect, test } from "vitest";
import type { SessionRecord } from "../teams/session-record.ts";
import { createSessionRuns } from "./session-runs.ts";

test("only sessions that were started over MCP are read, awaited or cancelled", async () => {
  const cancelled: string[] = [];
  const session = (id: string) => ({ id, status: "completed", result: null }) as unknown as SessionRecord;
  const runs = createSessionRuns({
    sessions: {
      get: (_ownerId, id) => Promise.resolve(session(id)),
      log: () => Promise.resolve([]),
      cancel(_ownerId, id) {
        cancelled.push(id);
        return Promise.resolve(session(id));
      },
      trigger: (id) => Promise.resolve(id === "sess_mcp" ? "mcp" : "team"),
    },
    signals: { subscribe: () => () => {} } as never,
  });
  const { signal } = new AbortController();
  expect(await runs.read("user_1", "sess_mcp")).toMatchObject({ id: "sess_mcp" });
  expect(await runs.settled("user_1", "sess_mcp", signal)).toMatchObject({ status: "completed" });
  await runs.cancel("user_1", "sess_mcp");
  const unknown = { code: "task_not_found" };
  await expect(runs.read("user_1", "sess_other")).rejects.toMatchObject(unknown);
  await expect(runs.settled("user_1", "sess_other", signal)).rejects.toMatchObject(unknown);
  await expect(runs.cancel("user_1", "sess_other")).rejects.toMatchObject(unknown);
  expect(cancelled).toEqual(["sess_mcp"]);
});
