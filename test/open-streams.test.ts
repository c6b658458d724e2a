import { io } from "socket.io-client";
import { expect, onTestFinished, test } from "vitest";
import { registerUser, type RegisteredUser, type TestApp, useTestApp } from "./support/test-app.ts";

/** A task that waits for an approval, so that its stream stays open. */
async function waitingTask(owner: RegisteredUser): Promise<string> {
  const steps = [{ stepId: "ask", type: "approval", message: "Go on?" }];
  const { workflow } = (await owner.post("/api/workflows", { name: "Ask", metadata: { steps, edges: [] } }))
    .body;
  return (await owner.post(`/api/workflows/${workflow.id}/run`, {})).body.taskId;
}

async function useStreams(settings: Record<string, string>) {
  const app: TestApp = await useTestApp(settings);
  const address = await app.listen();
  async function openStream({ token }: RegisteredUser, taskId: string) {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${address}/api/tasks/${taskId}/events`, { headers, signal: stop.signal });
    if (response.status !== 200) return { status: response.status, body: await response.json(), stop };
    await response.body!.getReader().read();
    return { status: 200, body: undefined, stop };
  }
  async function openSocket({ token }: RegisteredUser) {
    const socket = io(address, { auth: { token }, transports: ["websocket"], reconnection: false });
    onTestFinished(() => void socket.close());
    const error = await new Promise<{ data?: unknown } | undefined>((resolve) =>
      socket.on("connect", () => resolve(undefined)).on("connect_error", (problem) => resolve(problem)),
    );
    return { socket, refusal: error?.data };
  }
  return { app, openStream, openSocket };
}

const used = async (user: RegisteredUser): Promise<number> =>
  (await user.get("/api/limits")).body.limits.find(({ name }: { name: string }) => name === "streams").used;

test("streams and sockets of one user are limited together, and one that ends makes room", async () => {
  const { app, openStream, openSocket } = await useStreams({ STREAMS_PER_USER: "2" });
  const [ada, bob] = [await registerUser(app, "ada"), await registerUser(app, "bob")];
  const [ofAda, ofBob] = [await waitingTask(ada), await waitingTask(bob)];
  const first = await openStream(ada, ofAda);
  const { socket, refusal } = await openSocket(ada);
  expect([first.status, refusal, await used(ada)]).toEqual([200, undefined, 2]);

  const refused = await openStream(ada, ofAda);
  expect([refused.status, refused.body]).toMatchObject([
    429,
    { error: "limit_reached", details: { limit: "STREAMS_PER_USER" } },
  ]);
  expect((await openSocket(ada)).refusal).toMatchObject({ ok: false, error: "limit_reached" });
  expect((await openStream(bob, ofBob)).status).toBe(200);

  socket.close();
  first.stop.abort();
  await expect.poll(() => used(ada)).toBe(0);
  expect((await openStream(ada, ofAda)).status).toBe(200);
});

test("streams and sockets from one address are limited, whoever opens them", async () => {
  const { app, openStream, openSocket } = await useStreams({ STREAMS_PER_ADDRESS: "1" });
  const [ada, bob] = [await registerUser(app, "ada"), await registerUser(app, "bob")];
  expect((await openStream(ada, await waitingTask(ada))).status).toBe(200);
  expect((await openStream(bob, await waitingTask(bob))).body).toMatchObject({
    error: "limit_reached",
    details: { limit: "STREAMS_PER_ADDRESS" },
  });
  expect((await openSocket(bob)).refusal).toMatchObject({ error: "limit_reached" });
});

test("visitors of a chat do not use the streams of its owner, and no run starts for a stream that is refused", async () => {
  async function useChat(settings: Record<string, string>) {
    const { app, openStream } = await useStreams(settings);
    const ada = await registerUser(app, "ada");
    const steps = [{ stepId: "a", type: "transform", template: "Hello" }];
    const { workflow } = (await ada.post("/api/workflows", { name: "w", metadata: { steps, edges: [] } }))
      .body;
    await ada.post("/api/triggers", { kind: "chat", workflowId: workflow.id, settings: { slug: "help" } });
    expect((await openStream(ada, await waitingTask(ada))).status).toBe(200);
    const body = { conversationId: "c".repeat(32), messageId: "m", message: "Hi" };
    const { status } = await app.anonymous.post("/api/chats/help/messages", body);
    return [status, (await ada.get(`/api/tasks?workflowId=${workflow.id}`)).body.tasks.length];
  }
  expect(await useChat({ STREAMS_PER_USER: "1" })).toEqual([200, 1]);
  expect(await useChat({ STREAMS_PER_ADDRESS: "1" })).toEqual([429, 0]);
});
