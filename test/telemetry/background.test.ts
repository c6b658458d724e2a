import { expect, onTestFinished, test } from "vitest";
import { save } from "../../server/engine/testing/workbench.ts";
import { upload } from "../documents/upload.ts";
import { startFakeRedis } from "../support/fake-redis.ts";
import { openFeedServer } from "../support/feed-server.ts";
import { transformStep } from "../support/graphs.ts";
import { startMailServer } from "../support/mail-server.ts";
import {
  type OtlpReceiver,
  type ReceivedSpan,
  telemetrySettings,
  useOtlpReceiver,
} from "../support/otlp-receiver.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { useDatabase } from "../support/postgres.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { openReceiver } from "../support/webhook-receiver.ts";

async function open(settings: Record<string, string> = {}) {
  const collector = await useOtlpReceiver();
  const app = await useTestApp({ ...telemetrySettings(collector), ...settings });
  return { app, collector, alice: await registerUser(app, "alice") };
}

const named = (spans: ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);
const whenNamed = async (collector: OtlpReceiver, name: string, count = 1) =>
  named(await collector.when((spans) => named(spans, name).length >= count), name);
/** The child of a span. */
const whenBelow = async (collector: OtlpReceiver, parent: ReceivedSpan, name: string) => {
  const isChild = (span: ReceivedSpan) => span.name === name && span.parentSpanId === parent.spanId;
  return (await collector.when((spans) => spans.some(isChild))).find(isChild)!;
};

test("each attempt to deliver an event is a trace with its request, which carries the headers", async () => {
  const { collector, alice } = await open();
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  await alice.post("/api/event-subscriptions", { url: receiver.url, types: ["baton.run.completed"] });
  const workflowId = await save(alice, [transformStep("a", "x") as never]);
  await alice.post(`/api/workflows/${workflowId}/run?wait=true`, {});
  const [delivered] = await whenNamed(collector, "deliver event");
  expect(delivered).toMatchObject({
    isError: false,
    attributes: { "baton.delivery.attempt": 1, "baton.delivery.status": "delivered" },
  });
  expect(delivered!.parentSpanId).toBeUndefined();
  const request = await whenBelow(collector, delivered!, "POST");
  expect(receiver.received[0]!.headers["traceparent"]).toBe(`00-${delivered!.traceId}-${request.spanId}-01`);

  receiver.respondWith(500);
  await alice.post(`/api/workflows/${workflowId}/run?wait=true`, {});
  const [, refused] = await whenNamed(collector, "deliver event", 2);
  expect(refused).toMatchObject({
    isError: true,
    attributes: { "baton.delivery.status": "pending", "error.type": "500" },
  });
  expect(refused!.traceId).not.toBe(delivered!.traceId);
});

test("the check of a trigger is a trace with its request and the runs that it starts", async () => {
  const { collector, alice } = await open({ TRIGGER_MIN_INTERVAL_SECONDS: "0" });
  const feed = await openFeedServer("a");
  const workflowId = await save(alice, [transformStep("a", "x") as never]);
  const settings = { url: feed.url, intervalSeconds: 3600, startWith: "all" };
  const { body } = await alice.post("/api/triggers", { kind: "rss", workflowId, settings });
  const [check] = await whenNamed(collector, "check rss");
  expect(check).toMatchObject({
    isError: false,
    attributes: { "baton.trigger.id": body.trigger.id, "baton.workflow.id": workflowId },
  });
  expect(check!.parentSpanId).toBeUndefined();
  expect(await whenBelow(collector, check!, "GET")).toMatchObject({ traceId: check!.traceId, kind: 3 });
  expect(await whenBelow(collector, check!, "run rss")).toMatchObject({ traceId: check!.traceId });
  expect(feed.requests[0]!.headers["traceparent"]).toContain(check!.traceId);

  feed.answer = { status: 500 };
  await alice.post("/api/triggers", { kind: "rss", workflowId, settings });
  const checks = await whenNamed(collector, "check rss", 2);
  expect(checks[1]).toMatchObject({ isError: true });
  expect(checks[1]!.traceId).not.toBe(check!.traceId);
});

test("statements of sql and redis steps are outgoing calls without their text", async () => {
  const { collector, alice } = await open();
  const redis = await startFakeRedis();
  onTestFinished(() => redis.close());
  const connect = async (url: string): Promise<string> => {
    const given = { name: "Data", kind: "database", settings: {}, secrets: { url } };
    return (await alice.post("/api/connections", given)).body.connection.id;
  };
  const postgres = new URL(await useDatabase());
  const run = async (step: object): Promise<void> => {
    const workflowId = await save(alice, [{ stepId: "data", ...step } as never]);
    await alice.post(`/api/workflows/${workflowId}/run?wait=true`, {});
  };
  const sql = { type: "sql", connection: await connect(postgres.href) };
  await run({ ...sql, query: "select 'text-of-a-statement' as text" });
  await run({ ...sql, query: "select * from missing_table" });
  const spans = await whenNamed(collector, "postgresql", 2);
  expect(spans[0]).toMatchObject({
    kind: 3,
    isError: false,
    attributes: { "db.system.name": "postgresql", "server.address": postgres.hostname },
  });
  expect(spans[1]).toMatchObject({ isError: true, attributes: { "error.type": "query_failed" } });
  const connection = await connect(`redis://127.0.0.1:${redis.port}`);
  await run({ type: "redis", connection, command: "set", key: "key-of-a-value", value: "1" });
  const [call] = await whenNamed(collector, "redis");
  expect(call).toMatchObject({ kind: 3, attributes: { "server.port": redis.port } });
  const [step] = await whenNamed(collector, "step redis");
  expect(call!.parentSpanId).toBe(step!.spanId);
  expect(collector.text()).not.toMatch(/text-of-a-statement|missing_table|key-of-a-value/);
});

test("embeddings of a document and of a question are spans without texts", async () => {
  const { collector, alice } = await open();
  await upload(alice, await pdfOf([lines(["The safe opens with a secret-phrase."])]));
  await alice.post("/api/v1/documents/query", { query: "How does the safe open?" });
  const spans = (
    await collector.when((all) => all.filter(({ name }) => name.startsWith("embeddings ")).length >= 2)
  ).filter(({ name }) => name.startsWith("embeddings "));
  for (const span of spans)
    expect(span).toMatchObject({
      kind: 3,
      isError: false,
      attributes: { "gen_ai.operation.name": "embeddings", "gen_ai.provider.name": "local" },
    });
  expect(collector.text()).not.toMatch(/secret-phrase|How does/);
});

test("a mail of the service and one of a step are outgoing calls without their addresses", async () => {
  const mail = await startMailServer();
  onTestFinished(() => mail.close());
  const { app, collector, alice } = await open({
    SMTP_URL: mail.url,
    SMTP_FROM: "Baton <baton@example.com>",
    PUBLIC_URL: "https://baton.example.com",
  });
  await app.anonymous.post("/api/auth/password/forgot", { email: alice.email });
  const [sent] = await whenNamed(collector, "send mail");
  expect(sent).toMatchObject({ kind: 3, isError: false, attributes: { "server.address": "127.0.0.1" } });
  const email = {
    stepId: "mail",
    type: "email",
    to: "reader@example.org",
    subject: "subject-text",
    text: "x",
  };
  await alice.post(`/api/workflows/${await save(alice, [email as never])}/run?wait=true`, {});
  const [step] = await whenNamed(collector, "step email");
  expect(await whenBelow(collector, step!, "send mail")).toMatchObject({ kind: 3, isError: false });
  expect(collector.text()).not.toMatch(new RegExp(`${alice.email}|reader@example|subject-text`));
});

test("an s3 step is an outgoing call without its bucket and key", async () => {
  const { collector, alice } = await open();
  const connection = (
    await alice.post("/api/connections", {
      name: "Storage",
      kind: "s3",
      settings: {
        endpoint: "http://127.0.0.1:9",
        bucket: "secret-bucket",
        region: "us-east-1",
        accessKeyId: "a",
      },
      secrets: { secretAccessKey: "b-secret" },
    })
  ).body.connection.id as string;
  const get = { stepId: "get", type: "s3", connection, action: "get", key: "secret-key.txt" };
  await alice.post(`/api/workflows/${await save(alice, [get as never])}/run?wait=true`, {});
  const [step] = await whenNamed(collector, "step s3");
  expect(await whenBelow(collector, step!, "s3")).toMatchObject({
    kind: 3,
    isError: true,
    attributes: { "server.address": "127.0.0.1", "server.port": 9 },
  });
  expect(collector.text()).not.toMatch(/secret-bucket|secret-key/);
});
