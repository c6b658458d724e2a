import { expect, test } from "vitest";
import { createA2aClient } from "./a2a-client.ts";

/** What is read of a task in this state. */
async function readState(state: unknown) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { id: "t", status: { state } } }));
  const fetch = () => Promise.resolve({ status: 200, headers: {}, body, url: "" });
  const agent = { rpcUrl: "http://agent.test/rpc", fetch: fetch as never };
  const answer = await createA2aClient().getTask(agent, "t");
  return answer.kind === "task" ? answer.state : undefined;
}

test("a state that the protocol does not have counts as working, whatever its name", async () => {
  expect(await readState("TASK_STATE_REJECTED")).toBe("failed");
  for (const state of ["constructor", "__proto__", "toString", ["TASK_STATE_FAILED"], 7, null, undefined])
    expect(await readState(state)).toBe("working");
});
