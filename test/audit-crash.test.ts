import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createAuditStore } from "../server/audit/audit-event.sql.ts";
import { verifyChain } from "../server/audit/verify.ts";
import { openSqlite } from "../server/storage/sqlite/sqlite-db.ts";
import { startService } from "./support/service-process.ts";
import { useTemporaryFolder } from "./support/test-app.ts";

test("after kills in the middle of many changes, every change has a record and the chain is unbroken", async () => {
  const dataDir = await useTemporaryFolder();
  const settings = { DATA_DIR: join(dataDir, "data"), ALLOW_REGISTRATION: "true", LOG_LEVEL: "warn" };
  let token = "";
  let userId = "";
  let kills = 0;
  for (let round = 0; round < 6; round++) {
    const service = startService(settings);
    const address = await service.ready();
    const call = (method: string, path: string, body: object) =>
      fetch(address + path, {
        method,
        headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      });
    if (round === 0) {
      const account = { email: "a@example.com", password: "four words of text" };
      const body = (await (await call("POST", "/api/auth/register", account)).json()) as {
        token: string;
        user: { id: string };
      };
      ({ token } = body);
      userId = body.user.id;
    }
    let isDead = false;
    let answered = 0;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let number = 0; !isDead; number++) {
        const { status } = await call("PUT", `/api/variables/r${round}_w${writer}_${number}`, {
          value: number,
        });
        expect(status).toBe(200);
        answered += 1;
      }
    }).map((writer) => writer.catch(() => undefined));
    await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(5);
    // Another moment of a change in every round.
    await sleep(round * 3);
    await service.stop("SIGKILL");
    isDead = true;
    kills += 1;
    await Promise.all(writers);
  }
  expect(kills).toBe(6);
  const db = openSqlite({ folder: settings.DATA_DIR });
  onTestFinished(() => db.close());
  const changed = (await db.query("select name from variable")).map((row) => row["name"]);
  const attempted = await db.query(
    "select target_id from audit_event where stage = 'attempt' and action = 'putVariable'",
  );
  const recorded = new Set(attempted.map((row) => row["target_id"]));
  expect(changed.length).toBeGreaterThan(30);
  expect(changed.filter((name) => !recorded.has(name))).toEqual([]);
  expect(await verifyChain(createAuditStore(db), userId)).toMatchObject({ valid: true });
});
