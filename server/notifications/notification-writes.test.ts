import { afterEach, beforeEach, expect, test } from "vitest";
import { insertAccounts, openTestDb } from "../../test/support/open-db.ts";
import { createRunEventStore, type RunEvent } from "../events/run-event.sql.ts";
import type { Db } from "../storage/db.ts";
import { workspaceEvent } from "../storage/engine/run-events.ts";
import { MAIL_SPACING_MS } from "./mail-times.ts";
import { factsOf } from "./notification-facts.ts";
import { createNotificationMailStore } from "./notification-mail.sql.ts";
import { createNotificationStore } from "./notification.sql.ts";
import { dropOldest, MAX_KEPT, notificationWrites } from "./notification-writes.sql.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = 100 * HOUR_MS;
const reader = { workspaceId: "ada", userId: "ada" };

let db: Db;
let close: () => Promise<void>;
beforeEach(async () => {
  ({ db, close } = await openTestDb());
  await insertAccounts(db, ["ada"]);
  await db.batch([{ sql: "update account set email_confirmed_at = 1" }]);
});
afterEach(() => close());

const always = { sql: "true", params: {} };
let stored = 0;

async function storeEvents(count: number, at = NOW, limit = "emails"): Promise<void> {
  const data = { limit };
  await db.batch(
    Array.from({ length: count }, () =>
      workspaceEvent(
        { id: `evt_${++stored}`, ownerId: "ada", type: "baton.limit.reached", data, at },
        always,
      ),
    ),
  );
}

const move = async (events: readonly RunEvent[], ids: readonly string[]): Promise<void> =>
  createRunEventStore(db).moveToOutbox(ids, [], NOW, [
    ...factsOf(events, NOW).flatMap((fact) => notificationWrites(fact, { now: NOW, withMail: true })),
    dropOldest("ada"),
  ]);

async function dispatch(): Promise<void> {
  const { ids, events } = await createRunEventStore(db).oldest(1000);
  await move(events, ids);
}

const list = async () =>
  (await createNotificationStore(db).list(reader, { limit: 200, unread: false })).items;
const mails = async () => Number((await db.query("select count(*) as n from notification_mail"))[0]?.["n"]);

test("events that two processes have read count once, also when each has read others too", async () => {
  const store = createRunEventStore(db);
  await storeEvents(3);
  const first = await store.oldest(100);
  await storeEvents(2);
  const second = await store.oldest(100);
  await Promise.all([move(first.events, first.ids), move(second.events, second.ids)]);
  await move(second.events, second.ids);
  expect(await list()).toMatchObject([{ kind: "limit_reached", count: 5 }]);
  expect(await mails()).toBe(1);
});

test("one notification at a time is open for a group, and a day after its first event it ends", async () => {
  for (let hours = 0; hours <= 25; hours += 0.5) {
    await storeEvents(1, NOW + hours * HOUR_MS);
    await dispatch();
  }
  expect((await list()).map(({ count }) => count)).toEqual([2, 49]);
  expect(await mails()).toBe(2);
});

test("a workspace keeps its latest notifications, with their mails", async () => {
  for (let index = 0; index <= MAX_KEPT; index++) {
    const limit = ["emails", "triggers"][index % 2]!;
    await storeEvents(1, NOW + index * 2 * HOUR_MS, limit);
    await dispatch();
  }
  const [row] = await db.query("select count(*) as n, min(last_at) as oldest from notification");
  expect([Number(row?.["n"]), Number(row?.["oldest"])]).toEqual([MAX_KEPT, NOW + 2 * HOUR_MS]);
  expect(await mails()).toBe(MAX_KEPT);
});

test("a mail is sent by one process; one that dies or is refused leaves it for later", async () => {
  const store = createNotificationMailStore(db);
  await storeEvents(1);
  await dispatch();
  expect(await store.due(NOW, 10)).toEqual([reader]);
  // A process that has read the due mails too late takes nothing out.
  expect([await store.take(reader, NOW - 1), await mails()]).toEqual([undefined, 1]);
  const taken = await Promise.all([store.take(reader, NOW), store.take(reader, NOW)]);
  const [mail, ...others] = taken.filter((each) => each !== undefined);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ ids: [expect.any(String)], attempt: 1 });
  expect(await store.due(NOW + 5 * MINUTE_MS, 10)).toEqual([]);
  // A process that dies here leaves the mail to the next one.
  const again = await store.take(reader, NOW + 10 * MINUTE_MS);
  expect(again).toEqual({ ...mail, attempt: 2 });
  await store.reschedule(again!, NOW + HOUR_MS);
  expect(await store.nextDueAt()).toBe(NOW + HOUR_MS);
  const last = await store.take(reader, NOW + HOUR_MS);
  expect(last).toEqual({ ...mail, attempt: 3 });
  // What happens while the mail is sent is the next one.
  await storeEvents(1, NOW + HOUR_MS, "triggers");
  await dispatch();
  await store.sent(last!, NOW + HOUR_MS);
  expect([await mails(), await store.nextDueAt()]).toEqual([1, NOW + HOUR_MS + MAIL_SPACING_MS]);
  const next = await store.take(reader, NOW + 2 * HOUR_MS);
  expect(next).toMatchObject({ attempt: 1, ids: [expect.not.stringMatching(mail!.ids[0]!)] });
  await store.sent(next!, NOW + 2 * HOUR_MS);
  expect([await mails(), await store.nextDueAt()]).toEqual([0, null]);
});

test("events of a workspace that is being deleted make no notification", async () => {
  await storeEvents(1);
  await db.batch([{ sql: "update workspace set deleted_at = 1" }]);
  await dispatch();
  expect(await db.query("select id from notification")).toEqual([]);
  expect(await db.query("select id from run_event")).toEqual([]);
});
