import { rm } from "node:fs/promises";
import { onTestFinished } from "vitest";
import { openSqlite } from "../../server/storage/sqlite/sqlite-db.ts";
import { temporaryFolder } from "../support/test-app.ts";
import { dbContract } from "./db-contract.ts";

dbContract("SQLite", async () => {
  const folder = await temporaryFolder();
  const db = openSqlite({ folder });
  onTestFinished(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });
  return db;
});
