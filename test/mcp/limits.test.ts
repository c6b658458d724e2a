import { expect, test } from "vitest";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { createKey, exposeWorkflow, text } from "./mcp-app.ts";

test("calls are limited in rate, size and time, and show no secret", async () => {
  const app = await useTestApp({
    RATE_LIMIT_ENDPOINT_PER_MINUTE: "4",
    JSON_BODY_LIMIT_BYTES: "5000",
    SYNC_TIMEOUT_MS: "50",
  });
  const ada = await registerUser(app, "ada");
  await ada.put("/api/variables/token", { value: "a-secret-value", secret: true });
  await exposeWorkflow(ada, "reveal", [text("output", { token: "{{secrets.token}}" })]);
  await exposeWorkflow(ada, "wait", [{ stepId: "pause", type: "delay", seconds: 3600 }]);
  const authorization = `Bearer ${await createKey(ada)}`;
  const call = (params: object) =>
    app.anonymous.post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params }, { authorization });

  const revealed = await call({ name: "reveal" });
  expect(revealed.body.result.structuredContent).toEqual({ token: "•••" });
  expect(revealed.text).not.toContain("a-secret-value");

  const waiting = await call({ name: "wait" });
  const taskId = waiting.body.result._meta["baton/taskId"] as string;
  expect(waiting.body.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining(`The run ${taskId} has not ended yet and continues.`) }],
  });
  expect((await ada.get(`/api/tasks/${taskId}`)).body.task.status).toBe("waiting");

  const large = await call({ name: "reveal", arguments: { text: "x".repeat(6000) } });
  expect(large).toMatchObject({ status: 413, body: { error: "payload_too_large" } });
  await call({ name: "reveal" });
  const limited = await call({ name: "reveal" });
  expect(limited).toMatchObject({ status: 429, body: { error: "rate_limited" } });
  expect(limited.headers["retry-after"]).toBeDefined();
});
