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
