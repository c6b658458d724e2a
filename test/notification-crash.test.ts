import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openConnection } from "../server/storage/sqlite/connection.ts";
import { DATABASE_FILE } from "../server/storage/sqlite/sqlite-db.ts";
import { startMailServer } from "./support/mail-server.ts";
import { registerAt } from "./support/registered-user.ts";
import { startService } from "./support/service-process.ts";
import { useTemporaryFolder } from "./support/test-app.ts";

const RUNS = 60;

test("failures around a kill are counted once, in one notification and one mail", async () => {
  const dataDir = await useTemporaryFolder();
  const mail = await startMailServer();
  onTestFinished(() => mail.close());
  const settings = {
    DATA_DIR: dataDir,
    ALLOW_REGISTRATION: "true",
    SMTP_URL: mail.url,
    SMTP_FROM: "baton@example.com",
  };
  const sql = (text: string) => {
    const database = openConnection(join(dataDir, DATABASE_FILE));
    try {
      return database.prepare(text).all();
    } finally {
      database.close();
    }
  };

  const first = startService(settings);
  const user = await registerAt(await first.ready());
  const { call } = user;
  sql("update account set email_confirmed_at = 1");
  const steps = [{ stepId: "call", type: "http", method: "GET", url: "http://127.0.0.1:1/" }];
  const { workflow } = await call("/api/workflows", { name: "Orders", metadata: { steps, edges: [] } });
  const starts = Array.from({ length: RUNS }, () =>
    call(`/api/workflows/${workflow.id}/run`, {}).catch(() => undefined),
  );
  // In the middle: some runs have failed, some events are moved, others are not.
  await expect
    .poll(() => Number(sql("select count(*) as n from task where status = 'failed'")[0]?.["n"]), {
      interval: 5,
    })
    .toBeGreaterThan(RUNS / 4);
  await first.stop("SIGKILL");
  await Promise.all(starts);

  const second = startService(settings);
  user.address = await second.ready();
  await expect
    .poll(() => sql("select id from task where status <> 'failed' union all select id from run_event"), {
      timeout: 30_000,
    })
    .toEqual([]);
  const failed = Number(sql("select count(*) as n from task")[0]?.["n"]);
  expect(failed).toBeGreaterThan(RUNS / 4);
  const { notifications, unread } = await call("/api/notifications");
  expect([notifications.length, notifications[0].count, unread]).toEqual([1, failed, 1]);
  expect(await second.stop("SIGTERM")).toBe(0);
  const mails = mail.received.filter(({ raw }) => raw.includes("Run failed: Orders"));
  expect(mails.length).toBeLessThanOrEqual(1);
});
