import { onTestFinished } from "vitest";
import { openSqlite } from "../../server/storage/sqlite/sqlite-db.ts";
import { useTemporaryFolder } from "../support/test-app.ts";
import { dbContract } from "./db-contract.ts";

dbContract("SQLite", async () => {
  const folder = await useTemporaryFolder();
  const db = openSqlite({ folder });
  onTestFinished(() => db.close());
  return db;
});
