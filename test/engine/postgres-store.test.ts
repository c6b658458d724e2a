import { expect, test } from "vitest";
import type { Db } from "../../server/storage/db.ts";
import { createEngineStore } from "../../server/storage/engine/engine-store.ts";
import { usePostgres } from "../support/postgres.ts";
import { engineStoreContract } from "./store-contract.ts";
import { NOW } from "./store-samples.ts";

engineStoreContract("PostgreSQL", () => usePostgres());

test("with thousands due, counting them goes along the index and never through the whole table", async () => {
  const db = await usePostgres();
  await db.batch([
    {
      sql: `insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, lives, lives_seq, created_at, run_at)
            select 'task_' || n, 'user_1', 'wf_1', 1, 'queued', 'manual', '{}', 0, 1, 0, 0, 0, 0, case when n > 3000 then ${NOW} end
            from generate_series(1, 6000) as n`,
    },
    { sql: "analyze task" },
  ]);
  const plans: string[] = [];
  const explaining: Db = {
    ...db,
    async query(sql, params) {
      for (const row of await db.query(`explain ${sql}`, params)) plans.push(String(row["QUERY PLAN"]));
      return db.query(sql, params);
    },
  };
  expect(await createEngineStore(explaining).countDue(50, NOW)).toBe(50);
  expect(plans.join("\n")).toContain("using task_due");
  expect(plans.join("\n")).not.toContain("Seq Scan");
});
