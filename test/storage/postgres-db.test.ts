import { onTestFinished } from "vitest";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { useDatabase } from "../support/postgres.ts";
import { dbContract } from "./db-contract.ts";

dbContract("PostgreSQL", async () => {
  const db = await openPostgres({ url: await useDatabase() });
  onTestFinished(() => db.close());
  return db;
});
