import { Readable } from "node:stream";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { openTestDb } from "../../test/support/open-db.ts";
import { startMailServer } from "../../test/support/mail-server.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import { noRunFiles, openRunFiles } from "../run-files/testing/open-run-files.ts";
import { createEmailRunner } from "./email.ts";
import { sampleCall } from "./testing/sample-call.ts";

const limits = limitsOf({ email_recipients: 100 });

const server = await startMailServer();
const { url, received } = server;
beforeEach(() => void received.splice(0));
afterAll(() => server.close());

const message = { to: "ada@example.com", subject: "Your order", text: "Thank you." };
const send = (fields: Record<string, JsonValue>, more = {}) =>
  createEmailRunner({ runFiles: noRunFiles, limits, smtp: { url, from: "Baton <baton@example.org>" } }).run(
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
    createEmailRunner({ runFiles: noRunFiles, smtp, limits }).run(sampleCall(message));
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
  const gone = createEmailRunner({
    runFiles: noRunFiles,
    limits,
    smtp: { url: "smtp://127.0.0.1:1", from: "a@example.org" },
  });
  await expect(gone.run(sampleCall(message))).rejects.toMatchObject({
    code: "email_failed",
    message: "The mail server of this service cannot be reached (ESOCKET). Ask the administrator.",
  });
  await expect(send({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
});

test("an owner who has sent the emails of an hour is refused with the setting, and no other owner is", async () => {
  const runner = createEmailRunner({
    runFiles: noRunFiles,
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
    runFiles: noRunFiles,
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

test("files of earlier steps and text are attached, and other values, owners and sizes are refused", async () => {
  const opened = await openTestDb();
  onTestFinished(() => opened.close());
  const runFiles = openRunFiles(opened);
  const file = await runFiles.create(
    { ownerId: "user_a", taskId: null },
    { name: "orders.csv" },
    Readable.from([Buffer.from("id\n1\n")]),
  );
  const smtp = { url, from: "Baton <baton@example.org>" };
  const attach = (attachments: JsonValue, more = {}) =>
    createEmailRunner({ limits, smtp, runFiles }).run(sampleCall({ ...message, attachments }, more));
  await attach([file, { name: "a\r\nX-Evil: 1.txt", content: "hello" }, { name: "copy.csv", content: file }]);
  const raw = received[0]?.raw ?? "";
  expect(raw).toContain("filename=orders.csv");
  expect(raw).toContain("filename=copy.csv");
  expect(raw).toContain(Buffer.from("id\n1\n").toString("base64"));
  expect(raw).toContain(Buffer.from("hello").toString("base64"));
  expect(raw).not.toMatch(/^X-Evil/m);
  await attach(file);
  expect(received).toHaveLength(2);
  await expect(attach(["/etc/passwd"])).rejects.toMatchObject({ code: "invalid_field" });
  await expect(attach([{ path: "/etc/passwd" }])).rejects.toMatchObject({ code: "invalid_field" });
  await expect(attach([file], { ownerId: "user_b" })).rejects.toMatchObject({ code: "forbidden" });
  await expect(attach([{ name: "a", content: "x".repeat(26 * 1024 * 1024) }])).rejects.toMatchObject({
    code: "file_too_large",
  });
  expect(received).toHaveLength(2);
});
