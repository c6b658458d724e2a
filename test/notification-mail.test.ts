import { expect, onTestFinished, test } from "vitest";
import type { NotificationSettings } from "../contract/notifications.ts";
import { reach, save, start } from "../server/engine/testing/workbench.ts";
import type { Client } from "./support/client.ts";
import { type MailServer, startMailServer } from "./support/mail-server.ts";
import { registerUser, type TestApp, useTestApp } from "./support/test-app.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const MINUTE_MS = 60_000;
/** A mail that is due is found within ten seconds. */
const SLOW = { timeout: 40_000 };
const HOUR_MS = 60 * MINUTE_MS;
const failing = {
  stepId: "call",
  name: "Call the shop",
  type: "http",
  method: "GET",
  url: "http://127.0.0.1:1/",
};

/** A clock that a test moves. It begins at 9:00 UTC, an hour after the daily digest. */
function testClock() {
  let offset = Date.parse("2030-01-01T09:00:00Z") - Date.now();
  return {
    now: () => Date.now() + offset,
    monotonic: () => performance.now() + offset,
    advance: (ms: number) => (offset += ms),
  };
}

async function setUp(options: { dataDir?: string; mail?: MailServer } = {}) {
  const mail = options.mail ?? (await startMailServer());
  if (options.mail === undefined) onTestFinished(() => mail.close());
  const clock = testClock();
  const settings = {
    SMTP_URL: mail.url,
    SMTP_FROM: "Baton <baton@example.com>",
    PUBLIC_URL: "https://baton.example.com",
  };
  const app = await useTestApp(settings, {
    clock,
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
  });
  return { app, mail, clock };
}

const confirmAll = (app: TestApp) => app.sql("update account set email_confirmed_at = 1");

/** Without the mails that confirm an address. */
const notificationsTo = ({ received }: MailServer, email: string) =>
  received
    .filter(({ to, raw }) => to.includes(email) && raw.includes("/settings/notifications"))
    .map(({ raw }) => raw.replaceAll("=\r\n", "").replaceAll("=3D", "="));

/** The service notes that a mail was sent after the server has received it; the clock may move only then. */
async function mailsArrive(app: TestApp, mail: MailServer, email: string, count: number): Promise<void> {
  await expect.poll(() => notificationsTo(mail, email), SLOW).toHaveLength(count);
  await expect
    .poll(() => app.sql("select user_id from notification_person where mail_attempts > 0"), SLOW)
    .toEqual([]);
}

async function fail(user: Client, name = "Orders"): Promise<string> {
  const workflowId = await save(user, [failing], [], { name });
  await reach(user, await start(user, workflowId), "failed");
  return workflowId;
}

const countsOf = async (user: Client): Promise<number[]> =>
  (await user.get("/api/notifications")).body.notifications.map(({ count }: { count: number }) => count);

async function change(user: Client, set: (settings: NotificationSettings) => void): Promise<void> {
  const { settings } = (await user.get("/api/notification-settings")).body;
  set(settings);
  expect((await user.put("/api/notification-settings", settings)).status).toBe(200);
}

test("a group of failures is one mail to each member who may act and has a confirmed address", async () => {
  const { app, mail } = await setUp();
  const [owner, builder, viewer, unconfirmed] = await Promise.all(
    ["owner", "builder", "viewer", "unconfirmed"].map((name) => registerUser(app, name)),
  );
  await confirmAll(app);
  await app.sql(`update account set email_confirmed_at = null where id = '${unconfirmed!.user.id}'`);
  const id = await createTeamWorkspace(owner!, [
    [builder!, "builder"],
    [viewer!, "viewer"],
    [unconfirmed!, "admin"],
  ]);
  const there = inWorkspace(owner!, id);
  expect((await inWorkspace(unconfirmed!, id).get("/api/notification-settings")).body.mail).toBe(
    "address_unconfirmed",
  );
  const workflowId = await fail(there);
  for (const { email } of [owner!, builder!])
    await expect.poll(() => notificationsTo(mail, email)).toHaveLength(1);
  for (let runs = 0; runs < 3; runs++) await reach(there, await start(there, workflowId), "failed");
  await expect.poll(() => countsOf(there)).toEqual([4]);
  await app.stop();
  expect(
    [owner!, builder!, viewer!, unconfirmed!].map(({ email }) => notificationsTo(mail, email).length),
  ).toEqual([1, 1, 0, 0]);
  const [text = ""] = notificationsTo(mail, builder!.email);
  expect(text).toContain("Subject: Run failed: Orders in Team");
  expect(text).toMatch(/Step Call the shop: .+\r?\nhttps:\/\/baton\.example\.com\/runs\/task_\w+/);
});

test("what happens within five minutes is one more mail, without what was read meanwhile", async () => {
  const { app, mail, clock } = await setUp();
  const ada = await registerUser(app, "ada");
  await confirmAll(app);
  await fail(ada, "First");
  await mailsArrive(app, mail, ada.email, 1);
  for (const name of ["Read", "Second", "Third"]) await fail(ada, name);
  await expect.poll(() => countsOf(ada)).toHaveLength(4);
  const { notifications } = (await ada.get("/api/notifications")).body;
  const read = notifications.find(({ title }: { title: string }) => title === "Read");
  await ada.post("/api/notifications/read", { ids: [read.id] });
  expect(notificationsTo(mail, ada.email)).toHaveLength(1);
  clock.advance(5 * MINUTE_MS);
  await expect.poll(() => notificationsTo(mail, ada.email), SLOW).toHaveLength(2);
  const text = notificationsTo(mail, ada.email)[1];
  expect(text).toContain("Subject: 2 notifications");
  for (const name of ["Second", "Third"]) expect(text).toContain(`Run failed: ${name}`);
  expect(text).not.toContain("Run failed: Read");
});

test("a failure after an hour of silence is a new notification and a new mail", async () => {
  const { app, mail, clock } = await setUp();
  const ada = await registerUser(app, "ada");
  await confirmAll(app);
  const workflowId = await fail(ada);
  await mailsArrive(app, mail, ada.email, 1);
  for (const minutes of [59, 61]) {
    clock.advance(minutes * MINUTE_MS);
    await reach(ada, await start(ada, workflowId), "failed");
  }
  await expect.poll(() => countsOf(ada)).toEqual([1, 2]);
  await expect.poll(() => notificationsTo(mail, ada.email)).toHaveLength(2);
});

test("a digest waits for its time, and a kind without mail is in none", async () => {
  const { app, mail, clock } = await setUp();
  const ada = await registerUser(app, "ada");
  await confirmAll(app);
  await change(ada, (settings) => {
    settings.mailFrequency = "daily";
    settings.kinds[1]!.mail = false;
  });
  await fail(ada, "Morning");
  const approval = await save(ada, [{ stepId: "ask", type: "approval", message: "Pay?" }]);
  await start(ada, approval);
  await expect.poll(() => countsOf(ada)).toHaveLength(2);
  clock.advance(22 * HOUR_MS);
  await fail(ada, "Evening");
  await expect.poll(() => countsOf(ada)).toHaveLength(3);
  expect(notificationsTo(mail, ada.email)).toEqual([]);
  clock.advance(HOUR_MS);
  await mailsArrive(app, mail, ada.email, 1);
  const [text = ""] = notificationsTo(mail, ada.email);
  expect(text).toContain("Subject: 2 notifications");
  expect(text).not.toContain("Pay?");
  await fail(ada, "Later");
  await expect.poll(() => countsOf(ada)).toHaveLength(4);
  // A person who wants mail at once does not wait for the digest.
  clock.advance(HOUR_MS);
  await change(ada, (settings) => (settings.mailFrequency = "immediate"));
  await fail(ada, "Now");
  await expect.poll(() => notificationsTo(mail, ada.email)).toHaveLength(2);
});

test("a removed member gets no mail, not even a digest that was due", async () => {
  const { app, mail, clock } = await setUp();
  const [owner, builder, demoted] = await Promise.all(
    ["owner", "builder", "demoted"].map((name) => registerUser(app, name)),
  );
  await confirmAll(app);
  const id = await createTeamWorkspace(owner!, [
    [builder!, "builder"],
    [demoted!, "builder"],
  ]);
  for (const user of [owner!, builder!, demoted!])
    await change(inWorkspace(user, id), (settings) => (settings.mailFrequency = "hourly"));
  const there = inWorkspace(owner!, id);
  await fail(there);
  await expect.poll(() => countsOf(there)).toEqual([1]);
  await there.delete(`/api/workspaces/${id}/members/${builder!.user.id}`);
  await there.patch(`/api/workspaces/${id}/members/${demoted!.user.id}`, { role: "viewer" });
  clock.advance(HOUR_MS);
  await expect.poll(() => notificationsTo(mail, owner!.email), SLOW).toHaveLength(1);
  await app.stop();
  expect([builder!, demoted!].map(({ email }) => notificationsTo(mail, email))).toEqual([[], []]);
});

test("a mail that the server does not accept is sent later, once; a refused address is given up", async () => {
  const { app, mail, clock } = await setUp();
  const ada = await registerUser(app, "ada");
  await confirmAll(app);
  mail.refuseWith(451);
  await fail(ada);
  await expect
    .poll(async () => (await app.sql("select mail_attempts from notification_person"))[0])
    .toEqual({
      mail_attempts: 1,
    });
  mail.refuseWith(undefined);
  clock.advance(MINUTE_MS);
  await mailsArrive(app, mail, ada.email, 1);
  mail.refuseWith(550);
  clock.advance(HOUR_MS);
  await fail(ada, "Refused");
  await expect.poll(() => countsOf(ada)).toHaveLength(2);
  await expect.poll(() => app.sql("select * from notification_mail")).toEqual([]);
  await app.stop();
  expect(await app.sql("select mail_due_at, mail_attempts from notification_person")).toEqual([
    { mail_due_at: null, mail_attempts: 0 },
  ]);
});

test("10,000 failures that a crash left behind are one notification and one mail", async () => {
  const first = await setUp();
  const ada = await registerUser(first.app, "ada");
  await confirmAll(first.app);
  await change(ada, ({ kinds }) => (kinds[0]!.mail = false));
  await fail(ada);
  await expect.poll(() => countsOf(ada)).toEqual([1]);
  await change(ada, ({ kinds }) => (kinds[0]!.mail = true));
  await first.app.stop();
  await first.app.sql("delete from notification");
  // What a process leaves behind that dies before it has read the events.
  await first.app.sql(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
     insert into run_event (id, owner_id, task_id, type, data, at)
     select 'left_' || i, owner_id, id, 'baton.run.failed', '{"error":' || error || '}', completed_at + i from task, n`,
  );
  const second = await setUp({ dataDir: first.app.dataDir, mail: first.mail });
  await expect
    .poll(
      async () => (await second.app.sql("select count from notification")).map(({ count }) => Number(count)),
      {
        timeout: 100_000,
      },
    )
    .toEqual([10_000]);
  await second.app.stop();
  expect(notificationsTo(first.mail, ada.email)).toHaveLength(1);
});
