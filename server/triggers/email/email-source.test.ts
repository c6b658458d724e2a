import { expect, test } from "vitest";
import { emailSettingsSchema } from "../../../contract/triggers.ts";
import { IMAP_LOGIN, type ImapServer, openImapServer } from "../../../test/support/imap-server.ts";
import { SELF_SIGNED } from "../../../test/support/self-signed.ts";
import type { ConnectionUse } from "../../connections/connection-use.ts";
import { AppError } from "../../lib/errors.ts";
import { createEgress } from "../../security/egress.ts";
import { triggerContext } from "../../security/seal-contexts.ts";
import { createSecretBox } from "../../security/secret-box.ts";
import { feedTrigger } from "../testing/trigger-samples.ts";
import type { TriggerRecord } from "../trigger.sql.ts";
import { createImapTest } from "./open-mailbox.ts";
import { createEmailSource, type EmailSourceDeps } from "./email-source.ts";

const box = createSecretBox(Buffer.alloc(32, 7));
/** Every name leads to this machine. */
const lookup = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
const personal = { allowPrivate: true, allow: [], deny: [], lookup };
const mail = (subject: string, body = "Hello") =>
  `From: Bob <bob@mail.example>\nTo: ada@mail.example\nSubject: ${subject}\nMessage-ID: <${subject}@x>\n\n${body}\n`;

function triggerFor(
  { port }: ImapServer,
  settings: object = {},
  password = IMAP_LOGIN.password,
): TriggerRecord<"email"> {
  return {
    ...feedTrigger,
    kind: "email",
    settings: emailSettingsSchema.parse({ host: "localhost", port, user: IMAP_LOGIN.user, ...settings }),
    secrets: box.seal(JSON.stringify({ password }), triggerContext(feedTrigger)),
  };
}

const source = createEmailSource({
  egress: createEgress(personal),
  box,
  runFiles: { create: (...given) => runFiles.create(...given) },
  tls: { ca: SELF_SIGNED.certificate },
});
/** What was stored for runs. */
const kept: string[] = [];
const runFiles: EmailSourceDeps["runFiles"] = {
  async create({ ownerId, taskId }, { name, contentType = "" }, content) {
    const pieces = [];
    for await (const piece of content) pieces.push(piece);
    if (name === "huge.bin") throw new AppError("limit_reached", "Full.");
    const size = Buffer.concat(pieces).length;
    kept.push(`${ownerId} ${taskId} ${Buffer.concat(pieces).toString()}`);
    return { file: "file_1", name, contentType, size };
  },
};
const context = { signal: new AbortController().signal, knownKeys: () => Promise.resolve(new Set<string>()) };

/** Checks like the loop: each check continues at the position of the last one. */
function checker(trigger: TriggerRecord<"email">) {
  return async () => {
    const result = await source.check(trigger, context);
    trigger.position = result.position;
    return {
      subjects: result.items.map(({ title }) => title),
      keys: result.items.map(({ key }) => key),
      ...result,
    };
  };
}

test("a mailbox gives each message after the first check once, with its UID as the key", async () => {
  const server = await openImapServer();
  server.deliver(mail("old"));
  const check = checker(triggerFor(server));
  expect((await check()).subjects).toEqual([]);
  expect((await check()).subjects).toEqual([]);
  server.deliver(mail("one"));
  server.deliver(mail("two"));
  expect(await check()).toMatchObject({ subjects: ["one", "two"], keys: ["7:2", "7:3"], hasMore: false });
  expect((await check()).subjects).toEqual([]);
  expect(server.messages.map(({ seen }) => seen)).toEqual([false, false, false]);
});

test("startWith all takes what is there, in parts, and markSeen marks it", async () => {
  const server = await openImapServer();
  for (let n = 1; n <= 25; n += 1) server.deliver(mail(`m${n}`));
  const check = checker(triggerFor(server, { startWith: "all", markSeen: true }));
  const first = await check();
  expect([first.subjects.length, first.hasMore]).toEqual([20, true]);
  const second = await check();
  expect([second.subjects, second.hasMore]).toEqual([["m21", "m22", "m23", "m24", "m25"], false]);
  expect(server.messages.every(({ seen }) => seen)).toBe(true);
});

test("messages behind a gap in the UIDs are found, with searches whose answers fit in a line", async () => {
  const server = await openImapServer();
  const check = checker(triggerFor(server, { startWith: "all" }));
  server.uidNext = 12_000;
  server.deliver(mail("one"));
  expect(await check()).toMatchObject({ keys: ["7:12000"], hasMore: false });
  expect(server.commands.filter((command) => command === "UID SEARCH")).toHaveLength(3);
  server.uidNext = 30_000;
  expect(await check()).toMatchObject({ keys: [], hasMore: false });
  server.deliver(mail("two"));
  expect((await check()).keys).toEqual(["7:30000"]);
});

test("a refused search fails the check and skips no message", async () => {
  const server = await openImapServer();
  const check = checker(triggerFor(server, { startWith: "all" }));
  server.deliver(mail("one"));
  server.refusesSearches = true;
  await expect(check()).rejects.toMatchObject({ code: "email_failed", retryable: true });
  server.refusesSearches = false;
  expect((await check()).subjects).toEqual(["one"]);
});

test("a server that answers with an endless line is disconnected", async () => {
  const server = await openImapServer();
  server.capabilities = "X".repeat(70_000);
  await expect(source.check(triggerFor(server), context)).rejects.toMatchObject({
    code: "connection_failed",
  });
});

test("a mailbox that was numbered anew starts nothing again and continues with what is new", async () => {
  const server = await openImapServer();
  const check = checker(triggerFor(server, { startWith: "all" }));
  server.deliver(mail("one"));
  expect((await check()).subjects).toEqual(["one"]);
  server.uidValidity = 8;
  server.messages = [];
  server.uidNext = 1;
  server.deliver(mail("one"));
  expect((await check()).subjects).toEqual([]);
  server.deliver(mail("two"));
  expect((await check()).keys).toEqual(["8:2"]);
});

test("a message is read: addresses, text, HTML and what is attached", async () => {
  const server = await openImapServer();
  server.deliver(
    `From: =?utf-8?q?Zo=C3=AB?= <zoe@mail.example>\nTo: a@x.example, B <b@x.example>\nSubject: Order\nMessage-ID: <m1>\nDate: Mon, 02 Nov 2026 10:00:00 +0000
MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; charset=utf-8\n\n<style>p{}</style><p>Hi&nbsp;<b>Ada</b></p><p>Bye</p>
--b\nContent-Type: application/pdf; name="order.pdf"\nContent-Disposition: attachment; filename="order.pdf"\nContent-Transfer-Encoding: base64\n\nSGVsbG8=\n--b--\n`,
  );
  const item = await source.sample(triggerFor(server), context.signal);
  expect(item).toMatchObject({
    key: "7:1",
    title: "Order",
    input: {
      uid: 1,
      messageId: "<m1>",
      subject: "Order",
      from: { name: "Zoë", address: "zoe@mail.example" },
      to: [
        { name: "", address: "a@x.example" },
        { name: "B", address: "b@x.example" },
      ],
      date: "2026-11-02T10:00:00.000Z",
      text: "Hi Ada\nBye",
      attachments: [{ name: "order.pdf", contentType: "application/pdf", size: 5 }],
      isCut: false,
    },
  });
  expect(server.messages[0]?.seen).toBe(false);
});

test("a test of an empty mailbox finds nothing", async () => {
  const server = await openImapServer();
  expect(await source.sample(triggerFor(server), context.signal)).toBe(undefined);
});

test("with starttls the login is sent after the connection changed to TLS", async () => {
  const server = await openImapServer({ startsPlain: true });
  server.deliver(mail("one"));
  const trigger = triggerFor(server, { security: "starttls", startWith: "all" });
  expect((await source.check(trigger, context)).items).toHaveLength(1);
  expect(server.commands.indexOf("STARTTLS")).toBeLessThan(server.commands.indexOf("LOGIN"));
});

test("a wrong password, an unknown mailbox and a refused connection say what to check", async () => {
  const server = await openImapServer();
  const failure = (trigger: TriggerRecord<"email">) =>
    source.check(trigger, context).catch((error: unknown) => error);
  expect(await failure(triggerFor(server, {}, "wrong"))).toMatchObject({
    code: "email_failed",
    message: "The mail server refused the login. Check user and password.",
  });
  expect(await failure(triggerFor(server, { mailbox: "Nowhere" }))).toMatchObject({
    code: "email_failed",
    message: 'The mailbox "Nowhere" cannot be opened. Check its name.',
  });
  expect(await failure(triggerFor({ ...server, port: 1 }))).toMatchObject({ code: "connection_failed" });
});

test("a certificate that nobody trusts, or that belongs to another host, ends the connection before the login", async () => {
  const server = await openImapServer();
  const untrusting = createEmailSource({ egress: createEgress(personal), box, runFiles });
  const failed = (why: string) => ({ code: "connection_failed", message: expect.stringContaining(why) });
  const elsewhere = triggerFor(server, { host: "mail.example" });
  const wrongHost = failed("ERR_TLS_CERT_ALTNAME_INVALID");
  await expect(untrusting.check(triggerFor(server), context)).rejects.toMatchObject(
    failed("SELF_SIGNED_CERT"),
  );
  await expect(source.check(elsewhere, context)).rejects.toMatchObject(wrongHost);
  expect(server.commands).not.toContain("LOGIN");
});

test("the guard refuses a mail server on a private network, and nothing is connected", async () => {
  const server = await openImapServer();
  const guarded = createEmailSource({
    egress: createEgress({ ...personal, allowPrivate: false }),
    box,
    runFiles,
  });
  await expect(guarded.check(triggerFor(server), context)).rejects.toMatchObject({ code: "egress_denied" });
  expect(server.commands).toEqual([]);
});

test("a check that is aborted ends, and its connection with it", async () => {
  const server = await openImapServer();
  const stop = new AbortController();
  const reason = new Error("stopping");
  server.deliver(mail("one"));
  stop.abort(reason);
  await expect(source.check(triggerFor(server), { ...context, signal: stop.signal })).rejects.toBe(reason);
});

test("attachments of a message become files of its run, and one that cannot be kept is described", async () => {
  const server = await openImapServer();
  const part = (name: string) =>
    `--b\nContent-Type: text/plain; name="${name}"\nContent-Disposition: attachment; filename="${name}"\n\nHello\n`;
  server.deliver(
    `Subject: Files\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n${part("a.txt")}${part("huge.bin")}--b--\n`,
  );
  const { items } = await source.check(triggerFor(server, { startWith: "all" }), context);
  expect(items[0]?.input["attachments"]).toMatchObject([
    { file: "file_1", name: "a.txt" },
    { name: "huge.bin", contentType: "text/plain" },
  ]);
  const [, described] = items[0]!.input["attachments"] as unknown[];
  expect(described).not.toHaveProperty("file");
  expect(kept).toEqual([expect.stringMatching(/^user_1 null Hello/)]);
});

test("a message that cannot be read is an item with an error, and those after it are found", async () => {
  const server = await openImapServer();
  const multiparts = Array.from(
    { length: 300 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
  );
  server.deliver(multiparts.join(""));
  server.deliver(mail("next"));
  const check = checker(triggerFor(server, { startWith: "all" }));
  const { items, subjects, hasMore } = await check();
  expect([subjects, hasMore]).toEqual([["(no subject)", "next"], false]);
  const error = "The message cannot be read.";
  expect(items.map(({ input }) => input)).toMatchObject([{ uid: 1, error, text: "" }, { uid: 2 }]);
  expect(items[1]?.input).not.toHaveProperty("error");
});

test("a check ends early when its time or its size is used up, and the next one continues there", async () => {
  const server = await openImapServer();
  for (let n = 1; n <= 3; n += 1) server.deliver(mail(`m${n}`));
  const slow = createEmailSource({
    egress: createEgress(personal),
    box,
    runFiles,
    tls: { ca: SELF_SIGNED.certificate },
    clock: advancingBy(15_000),
  });
  const trigger = triggerFor(server, { startWith: "all", markSeen: true });
  const first = await slow.check(trigger, context);
  expect([first.items.map(({ title }) => title), first.hasMore]).toEqual([["m1"], true]);
  expect(server.messages.map(({ seen }) => seen)).toEqual([true, false, false]);
  const second = await source.check({ ...trigger, position: first.position }, context);
  expect(second.items.map(({ title }) => title)).toEqual(["m2", "m3"]);

  const large = await openImapServer();
  for (let n = 1; n <= 10; n += 1) large.deliver(mail(`m${n}`, "x".repeat(600_000)));
  const { items, hasMore } = await source.check(triggerFor(large, { startWith: "all" }), context);
  expect([items.length, hasMore]).toEqual([8, true]);
});

test("a message whose transfer takes too long is cut, and a large one is read in parts", async () => {
  const server = await openImapServer();
  server.deliver(mail("large", `${"x".repeat(70)}\n`.repeat(20_000)));
  const trigger = triggerFor(server, { startWith: "all" });
  const [whole] = (await source.check(trigger, context)).items;
  expect([
    whole?.input["isCut"],
    server.commands.filter((command) => command === "UID FETCH").length,
  ]).toEqual([false, 3]);
  const slow = createEmailSource({
    egress: createEgress(personal),
    box,
    runFiles,
    tls: { ca: SELF_SIGNED.certificate },
    clock: advancingBy(15_000),
  });
  const [cut] = (await slow.check(trigger, context)).items;
  expect([cut?.title, cut?.input["isCut"]]).toEqual(["large", true]);
});

test("a message is found behind changes of other messages that the server reports meanwhile", async () => {
  const server = await openImapServer();
  server.deliver(mail("one"));
  server.unasked = { "UID FETCH": "* 7 FETCH (FLAGS (\\Seen))\r\n* 8 FETCH (UID 8 FLAGS ())\r\n" };
  expect(await checker(triggerFor(server, { startWith: "all" }))()).toMatchObject({ subjects: ["one"] });
});

const half = "x".repeat(300_000);
test.each([
  ["responses to one request", "UID FETCH", `* 9 FETCH (UID 9 BODY[]<0> {${half.length}}\r\n${half})\r\n`],
  ["lines during the login", "LOGIN", `* OK ${"x".repeat(1000)}\r\n`.repeat(300)],
])("a server that sends more %s than it was asked for is disconnected", async (_name, command, text) => {
  const server = await openImapServer();
  server.deliver(mail("one"));
  server.unasked = { [command]: text.repeat(10) };
  await expect(source.check(triggerFor(server, { startWith: "all" }), context)).rejects.toMatchObject({
    code: "email_failed",
    message: "The mail server sent more than it was asked for.",
  });
});

/** A clock that has moved by this much whenever it is read. */
function advancingBy(ms: number) {
  let now = 0;
  return { monotonic: () => (now += ms) };
}

/** A stored IMAP connection, and what its use has reported. */
function imapUse({ port }: ImapServer, password = IMAP_LOGIN.password) {
  const reported: string[] = [];
  const use = {
    kind: "imap",
    settings: { host: "localhost", port, security: "tls", user: IMAP_LOGIN.user },
    secretValues: { password },
    succeeded: () => Promise.resolve(void reported.push("succeeded")),
    renew: () => Promise.resolve(reported.push("renew") < 0),
    refused: (target: string) => new AppError("connection_authorization_required", `${target} refused`),
  } as unknown as ConnectionUse;
  return { use, reported };
}

test("a mailbox is read with a connection in place of a password of its own", async () => {
  const server = await openImapServer();
  server.deliver(mail("hello"));
  const tls = { ca: SELF_SIGNED.certificate };
  const deps = { egress: createEgress(personal), box, runFiles, tls };
  const trigger = {
    ...triggerFor(server, { connection: "conn_1", host: "", user: "", startWith: "all" }),
    secrets: null,
  };
  const { use, reported } = imapUse(server);
  const asked: unknown[] = [];
  const connected = createEmailSource({
    ...deps,
    useConnection: (...given) => Promise.resolve((asked.push(given), use)),
  });
  const { items } = await connected.check(trigger, context);
  expect(items.map(({ title }) => title)).toEqual(["hello"]);
  expect([asked, reported]).toEqual([[["user_1", "conn_1"]], ["succeeded"]]);

  const wrong = imapUse(server, "wrong");
  const refused = createEmailSource({ ...deps, useConnection: () => Promise.resolve(wrong.use) });
  await expect(refused.check(trigger, context)).rejects.toMatchObject({
    code: "connection_authorization_required",
  });
  expect(wrong.reported).toEqual(["renew"]);
});

test("an IMAP connection is tested by a login that opens no mailbox", async () => {
  const server = await openImapServer();
  const check = createImapTest({ egress: createEgress(personal), tls: { ca: SELF_SIGNED.certificate } });
  expect(await check(imapUse(server).use, context.signal)).toEqual({ account: IMAP_LOGIN.user });
  expect(server.commands).toContain("LOGIN");
  expect(server.commands).not.toContain("SELECT");
  expect(server.commands).not.toContain("EXAMINE");
  await expect(check(imapUse(server, "wrong").use, context.signal)).rejects.toMatchObject({
    code: "connection_authorization_required",
  });
});
