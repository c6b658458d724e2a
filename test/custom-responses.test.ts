import { expect, test } from "vitest";
import { publish } from "./support/endpoints.ts";
import { shareApp } from "./support/shared-app.ts";

const { app, alice } = await shareApp(["alice"], { RATE_LIMIT_WEBHOOK_PER_MINUTE: "0" });
const xml = {
  statusCode: 201,
  headers: { "Content-Type": "application/xml", "X-Order": "17" },
  body: "<Response>ä</Response>",
};
/** Two final steps: the response step says which one is the response. */
const graph = {
  steps: [
    { stepId: "answer", type: "transform", template: "{{input}}" },
    { stepId: "other", type: "transform", template: "private" },
  ],
  edges: [],
};
const failing = {
  steps: [{ stepId: "broken", type: "transform", expression: "$error('private')" }],
  edges: [],
};
const settings = { authentication: false, responseStepId: "answer" };

test("customResponse of an endpoint: the output of the response step is the response", async () => {
  const workflow = await publish(alice, { ...settings, customResponse: true }, graph);
  expect(workflow.apiSettings).toMatchObject({ customResponse: true });
  const url = `/api/workflows/public/${workflow.id}`;
  const call = (input: unknown) => app.anonymous.post(url, { input });
  const response = await call(xml);
  expect([response.status, response.text]).toEqual([201, xml.body]);
  expect(response.headers).toMatchObject({
    "content-type": "application/xml",
    "x-order": "17",
    "x-content-type-options": "nosniff",
  });

  const wrong = await call({ headers: { "set-cookie": "session=1" } });
  expect([wrong.status, wrong.body.error]).toEqual([500, "execution_failed"]);
  expect(wrong.body.message).toContain("the header set-cookie is not allowed");
  expect(wrong.headers["set-cookie"]).toBeUndefined();

  const change = (apiSettings: object) => alice.patch(`/api/workflows/${workflow.id}`, { apiSettings });
  expect((await change({ sync: false })).body.workflow.apiSettings.customResponse).toBe(true);
  expect((await call(xml)).body).toMatchObject({ ok: true, workflowId: workflow.id });
  await change({ sync: true, customResponse: false });
  expect((await call(xml)).body.result.output).toEqual(xml);
});

test("HTML of a custom response is sandboxed, whatever its headers", async () => {
  const { id } = await publish(alice, { ...settings, customResponse: true }, graph);
  const input = { headers: { "content-type": "text/html" }, body: "<script>alert(1)</script>" };
  const response = await app.anonymous.post(`/api/workflows/public/${id}`, { input });
  expect(response.headers["content-type"]).toBe("text/html");
  const policy = String(response.headers["content-security-policy"]).split("; ");
  expect(policy).toEqual(expect.arrayContaining(["sandbox", "default-src 'none'"]));
});

test("customResponse of a webhook: the call waits for the run and returns its response", async () => {
  const { id: workflowId } = await publish(alice, { ...settings, enabled: false }, graph);
  const made = await alice.post("/api/webhooks", {
    name: "Calls",
    source: "calls",
    workflowId,
    customResponse: true,
  });
  const { id, secret } = made.body.webhook;
  expect(made.body.webhook.customResponse).toBe(true);
  const headers = { "x-webhook-secret": secret };
  const send = (body: unknown, more = {}) =>
    app.anonymous.post("/webhook/calls", body, { ...headers, ...more });
  const response = await send(xml, { "idempotency-key": "call-1" });
  expect([response.status, response.text]).toEqual([201, xml.body]);
  const repeated = await send(xml, { "idempotency-key": "call-1" });
  expect([repeated.status, repeated.text]).toEqual([201, xml.body]);
  const query = await app.anonymous.get(`/webhook/calls?secret=${secret}&body=hello`);
  expect([query.status, query.text]).toEqual([200, "hello"]);

  const broken = await publish(alice, { enabled: false }, failing);
  await alice.patch(`/api/webhooks/${id}`, { workflowId: broken.id });
  const failed = await send({});
  expect([failed.status, failed.body.error]).toEqual([500, "execution_failed"]);
  expect(failed.text).not.toMatch(/private|broken/);

  const changed = await alice.patch(`/api/webhooks/${id}`, { workflowId, customResponse: false });
  expect(changed.body.webhook.customResponse).toBeUndefined();
  expect((await send(xml)).body).toEqual({ ok: true, taskId: expect.any(String) });
});
