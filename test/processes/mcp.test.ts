import { expect, test } from "vitest";
import { createKey, exposeWorkflow, messagesOf, text } from "../mcp/mcp-app.ts";
import { registerUser } from "../support/test-app.ts";
import { useProcessGroup } from "./several.ts";

test("any process answers a client: sessions, questions and cancellations belong to none", async () => {
  const several = await useProcessGroup();
  const [one, two] = [await several.join("api"), await several.join("api")];
  await several.join("worker");
  const ada = await registerUser(one, "ada");
  await exposeWorkflow(ada, "publish", [
    { stepId: "review", type: "approval", message: "Publish?" },
    text("published", "{{steps.review.output.decision}}"),
  ]);
  const authorization = `Bearer ${await createKey(ada)}`;
  const [here, there] = [await one.listen(), await two.listen()];
  let session = "";
  const send = (address: string, message: object): Promise<Response> =>
    fetch(`${address}/mcp`, {
      method: "POST",
      headers: {
        authorization,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session && { "mcp-session-id": session }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  const capabilities = { elicitation: {} };
  const params = { protocolVersion: "2025-11-25", capabilities };
  session = (await send(here, { id: 0, method: "initialize", params })).headers.get("mcp-session-id")!;
  const call = async (id: number) => {
    const message = { id, method: "tools/call", params: { name: "publish", arguments: {} } };
    const messages = messagesOf(await send(there, message));
    return { messages, question: (await messages.next()).value! };
  };

  const { question, messages } = await call(1);
  expect(question).toMatchObject({ method: "elicitation/create", params: { message: "Publish?" } });
  await send(here, { id: question["id"], result: { action: "accept", content: {} } });
  expect((await messages.next()).value).toMatchObject({ id: 1, result: { content: [{ text: "approve" }] } });

  const { messages: others } = await call(2);
  await send(here, { method: "notifications/cancelled", params: { requestId: 2 } });
  // A cancelled request has no response.
  expect((await others.next()).done).toBe(true);
});
