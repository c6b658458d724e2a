import { afterAll, beforeEach, expect, test } from "vitest";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { startMailServer } from "../../test/support/mail-server.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import { createEmailRunner } from "./email.ts";
import { sampleCall } from "./testing/sample-call.ts";

const limits = limitsOf({ email_recipients: 100 });

const server = await startMailServer();
const { url, received } = server;
beforeEach(() => void received.splice(0));
afterAll(() => server.close());

const message = { to: "ada@example.com", subject: "Your order", text: "Thank you." };
const send = (fields: Record<string, JsonValue>, more = {}) =>
  createEmailRunner({ limits, smtp: { url, from: "Baton <baton@example.org>" } }).run(
    sampleCall({ ...message, ...fields }, more),
  );

test("an email reaches the server, with the same message id at every attempt", async () => {
  const first = await send({});
  const again = await send({}, { attempt: 2 });
  const other = await send({}, { idempotencyKey: "task_2:step" });
  expect(first).toEqual({ output: { messageId: expect.stringMatching(/^<[0-9a-f]{32}@example\.org>$/) } });
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
  const { messageId } = first.output as { messageId: string };
  expect(received[0]?.to).toEqual(["ada@example.com"]);
  expect(received[0]?.raw).toContain(`Message-ID: ${messageId}`);
  expect(received[0]?.raw).toContain("From: Baton <baton@example.org>");
  expect(received[0]?.raw).toContain("Thank you.");
});

test("several recipients are accepted as comma-separated text or as a list", async () => {
  await send({ to: "ada@example.com, Grace <grace@example.com>" });
  await send({ to: ["Lovelace, Ada <ada@example.com>", "grace@example.com"], html: "<b>Hi</b>" });
  expect(received.map(({ to }) => to)).toEqual([
    ["ada@example.com", "grace@example.com"],
    ["ada@example.com", "grace@example.com"],
  ]);
  expect(received[1]?.raw).toContain("<b>Hi</b>");
});

test("a line break in the subject injects no header", async () => {
  await send({ subject: "Hello\r\nBcc: eve@example.com\r\n\r\nbody" });
  expect(received[0]?.to).toEqual(["ada@example.com"]);
  expect(received[0]?.raw).toContain("Subject: Hello Bcc: eve@example.com body");
});

test.each<[string, JsonValue]>([
  ["a line break", "ada@example.com\r\nBcc: eve@example.com"],
  ["a line break in the name", "Ada\r\nBcc: eve@example.com <ada@example.com>"],
  ["no address", "ada"],
  ["nothing", null],
  ["an empty list", []],
  ["an empty text", ""],
  ["an object", { address: "eve@example.com" }],
  ["an address with a command behind it", "<ada@example.com> RET=FULL"],
  ["a second address in brackets", "ada@example.com <eve@example.com> <x@example.com"],
])("recipients with %s are rejected", async (_, to) => {
  await expect(send({ to })).rejects.toMatchObject({ code: "invalid_field" });
  expect(received).toEqual([]);
});

test("an object as text is sent as JSON, never read as a file name", async () => {
  await send({ text: { path: import.meta.filename } });
  await send({ html: { href: "http://127.0.0.1:1/" } });
  expect(received[0]?.raw).toContain('"path":');
  expect(received[0]?.raw).not.toContain("createEmailRunner");
  expect(received[1]?.raw).toContain('"href":');
});

test("an email without text is rejected", async () => {
  await expect(send({ text: null })).rejects.toMatchObject({ code: "invalid_field" });
});

test("a rejected email fails the step, and rejected recipients are reported", async () => {
  await expect(send({ to: "nobody@example.com" })).rejects.toMatchObject({
    code: "email_failed",
    message: expect.stringContaining("no such mailbox"),
  });
  expect((await send({ to: ["ada@example.com", "nobody@example.com"] })).extra).toEqual({
    rejected: ["nobody@example.com"],
  });
});

test("without SMTP settings the error names the missing one", async () => {
  const without = (smtp: { url: string | undefined; from: string | undefined }) =>
    createEmailRunner({ smtp, limits }).run(sampleCall(message));
  await expect(without({ url: undefined, from: "a@b.c" })).rejects.toMatchObject({
    code: "smtp_not_configured",
    message: expect.stringContaining("SMTP_URL"),
  });
  await expect(without({ url, from: undefined })).rejects.toMatchObject({
    code: "smtp_not_configured",
    message: expect.stringContaining("SMTP_FROM"),
  });
});

test("an unreachable mail server and a cancelled step fail with a reason", async () => {
  const gone = createEmailRunner({ limits, smtp: { url: "smtp://127.0.0.1:1", from: "a@example.org" } });
  await expect(gone.run(sampleCall(message))).rejects.toMatchObject({ code: "email_failed" });
  await expect(send({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
});

test("an owner who has sent the emails of an hour is refused with the setting, and no other owner is", async () => {
  const runner = createEmailRunner({
    smtp: { url, from: "Baton <baton@example.org>" },
    limits: limitsOf({ emails: 2 }),
  });
  const send = (ownerId: string) =>
    runner.run(sampleCall({ to: "ada@example.com", subject: "Hello", text: "Hi" }, { ownerId }));
  await send("user_a");
  await send("user_a");
  await expect(send("user_a")).rejects.toMatchObject({
    code: "limit_reached",
    details: { limit: "EMAILS_PER_HOUR" },
    retryAfterMs: 3_600_000,
  });
  await send("user_b");
});

test("too many recipients are rejected with the setting", async () => {
  const runner = createEmailRunner({
    smtp: { url, from: "Baton <baton@example.org>" },
    limits: limitsOf({ email_recipients: 1 }),
  });
  await expect(
    runner.run(sampleCall({ to: "ada@example.com, bob@example.com", subject: "Hello", text: "Hi" })),
  ).rejects.toMatchObject({
    code: "limit_reached",
    permanent: true,
    details: { limit: "EMAIL_MAX_RECIPIENTS" },
  });
});
