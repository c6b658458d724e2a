import { expect, onTestFinished, test } from "vitest";
import { claim } from "../../engine/testing/store-samples.ts";
import { useDatabase } from "../../../test/support/postgres.ts";
import { useTemporaryFolder } from "../../../test/support/test-app.ts";
import { INGESTION_LANE } from "../../documents/ingest/document-task.ts";
import { createDocumentStore } from "../../documents/store/document.sql.ts";
import type { Db } from "../db.ts";
import { createEngineStore } from "../engine/engine-store.ts";
import { migrate } from "../migrate.ts";
import { openPostgres } from "../postgres/open-postgres.ts";
import { openSqlite } from "../sqlite/sqlite-db.ts";
import { migrations } from "./all.ts";

const databases = [
  ["SQLite", async () => openSqlite({ folder: await useTemporaryFolder() })],
  ["PostgreSQL", async () => openPostgres({ url: await useDatabase() })],
] as const;

/** A database of version 9 with one document of each status. */
async function openBefore(open: () => Promise<Db>): Promise<Db> {
  const db = await open();
  onTestFinished(() => db.close());
  const released = migrations.filter(({ version }) => version < 10);
  await migrate(db, released, 0);
  await db.batch([
    { sql: "insert into account (id, email, password_hash, created_at) values ('user_1', 'a@b.c', '', 0)" },
    ...["processing", "indexed", "failed", "deleting"].map((status, i) => ({
      sql: `insert into document (id, number, owner_id, sha256, status, title, metadata, bytes, pages, pages_without_text, chunks, terms, error,
              attempts, created_at, epoch, claimed_at, pages_done, chunks_done)
            values ($id, $number, 'user_1', $id, $status, 'Oil', '{}', 9, 4, '[]', 2, 0, null, 2, 7, 5, 99, 3, 1)`,
      params: { id: `doc_${status}`, number: i, status },
    })),
  ]);
  return db;
}

test.each(databases)("on %s every document gets a task, due if it was interrupted", async (_name, open) => {
  const db = await openBefore(open);
  await migrate(db, migrations, 0);
  const tasks = await db.query(
    "select id, owner_id, lane, status, epoch, run_at, lives from task order by id",
  );
  const common = { owner_id: "user_1", lane: INGESTION_LANE, epoch: 5, lives: 0 };
  expect(tasks.map((row) => ({ ...row }))).toEqual([
    { id: "doc_deleting", ...common, status: "queued", run_at: 0 },
    { id: "doc_failed", ...common, status: "waiting", run_at: null },
    { id: "doc_indexed", ...common, status: "waiting", run_at: null },
    { id: "doc_processing", ...common, status: "queued", run_at: 0 },
  ]);
  const claimed = await claim(createEngineStore(db), "worker_1", 10, 1000, INGESTION_LANE);
  expect(claimed.map(({ id }) => id).toSorted()).toEqual(["doc_deleting", "doc_processing"]);

  const records = createDocumentStore(db);
  expect(await records.owned("doc_processing", "user_1")).toMatchObject({
    status: "processing",
    pages: 4,
    pagesDone: 3,
    chunksDone: 1,
  });
  expect(await records.markDeleting("doc_indexed", 2000)).toMatchObject({ epoch: 6 });
});
