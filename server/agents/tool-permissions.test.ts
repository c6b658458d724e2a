import { expect, test } from "vitest";
import { createToolPermissions, type ToolPermissions } from "./tool-permissions.ts";

const call = { ownerId: "user_1", chatId: "chat_1", callId: "call_1" };
const going = new AbortController().signal;

test("a decision reaches the call that waits, once, and no call of another owner or chat", async () => {
  const permissions = createToolPermissions({ publish: undefined });
  const asked = permissions.ask(call, going);
  expect(permissions.decide({ ...call, ownerId: "user_2" }, true)).toBe(false);
  expect(permissions.decide({ ...call, chatId: "chat_2" }, true)).toBe(false);
  expect(permissions.decide(call, false)).toBe(true);
  expect(await asked).toBe(false);
  expect(permissions.decide(call, true)).toBe(false);
});

test("a decision that arrives at another process reaches the one that waits", async () => {
  const processes: ToolPermissions[] = [];
  const publish = (message: string) => processes.forEach((each) => each.onPeerMessage(message));
  processes.push(createToolPermissions({ publish }), createToolPermissions({ publish }));
  const asked = processes[0]!.ask(call, going);
  // An empty message means that messages may have been lost.
  processes[0]!.onPeerMessage("");
  expect(processes[1]!.decide(call, true)).toBe(true);
  expect(await asked).toBe(true);
});

test("a call ends with its chat", async () => {
  const permissions = createToolPermissions({ publish: undefined });
  const leaving = new AbortController();
  const asked = permissions.ask(call, leaving.signal);
  leaving.abort();
  await expect(asked).rejects.toMatchObject({ code: "aborted" });
  expect(permissions.decide(call, true)).toBe(false);
});
