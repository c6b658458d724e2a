import { expect, onTestFinished, test } from "vitest";
import type { BatchOptions, Db } from "../../server/storage/db.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { useDatabase } from "../support/postgres.ts";
import { dbContract } from "./db-contract.ts";

async function open(): Promise<Db> {
  const db = await openPostgres({ url: await useDatabase() });
  onTestFinished(() => db.close());
  return db;
}

dbContract("PostgreSQL", open);

test("batches of one turn share a transaction unless they are marked alone", async () => {
  const db = await open();
  const transaction = async (options: BatchOptions): Promise<unknown> =>
    (await db.batch([{ sql: "select txid_current() as id" }], options))[0]![0]!["id"];
  const together = await Promise.all([1, 2, 3].map(() => transaction({ repeatable: true })));
  expect(new Set(together).size).toBe(1);
  const alone = await Promise.all([1, 2, 3].map(() => transaction({ repeatable: true, alone: true })));
  expect(new Set(alone).size).toBe(3);
});

test("a statement without one of its values sends nothing and leaves the connection usable", async () => {
  const db = await openPostgres({ url: await useDatabase(), poolSize: 3 });
  onTestFinished(() => db.close());
  await db.batch([{ sql: "create table kept (n integer)" }]);
  const insert = { sql: "insert into kept (n) values ($n) returning n", params: { n: 1 } };
  const incomplete = { sql: "insert into kept (n) values ($n + $missing)", params: { n: 2 } };
  for (let round = 0; round < 5; round += 1)
    await expect(db.batch([insert, incomplete], { repeatable: true })).rejects.toThrow("missing");
  for (let round = 0; round < 5; round += 1)
    expect((await db.batch([insert], { repeatable: true }))[0]).toEqual([{ n: 1 }]);
  expect(await db.query("select count(*) as rows from kept")).toEqual([{ rows: 5 }]);
});
