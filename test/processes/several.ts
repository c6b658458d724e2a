import { onTestFinished } from "vitest";
import { acquireDatabase, releaseDatabase } from "../support/postgres.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

type Role = "all" | "api" | "worker";

export interface ProcessGroup {
  databaseUrl: string;
  /** Starts another process on the same database. */
  join(role: Role, settings?: Record<string, string>): Promise<TestApp>;
}

/** Processes that share a PostgreSQL database and keys, stopped when the test ends. */
export async function useProcessGroup(common: Record<string, string> = {}): Promise<ProcessGroup> {
  const databaseUrl = await acquireDatabase();
  onTestFinished(() => releaseDatabase(databaseUrl));
  return {
    databaseUrl,
    async join(role, settings = {}) {
      const app = await createTestApp({
        DATABASE_URL: databaseUrl,
        DATABASE_POOL_SIZE: "6",
        JWT_SECRET: "the same for every process that shares a database",
        ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
        ROLE: role,
        ...common,
        ...settings,
      });
      onTestFinished(() => app.close());
      return app;
    },
  };
}
