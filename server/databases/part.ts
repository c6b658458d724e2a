import { availableParallelism } from "node:os";
import type { StepRunner } from "../engine/run/step-runner.ts";
import type { Platform } from "../platform/part.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import type { OwnerFolders } from "../steps/owner-files.ts";
import { invalidField } from "../steps/step-failure.ts";
import type { DatabaseTarget, SqliteTarget } from "./database-url.ts";
import type { TestConnection } from "../connections/connection-app.ts";
import { createDatabaseTest, createS3Test } from "./connection-tests.ts";
import { createRedisRunner } from "./redis/redis-step.ts";
import { createS3Runner } from "./s3/s3-step.ts";
import { createMySqlDriver } from "./sql/mysql.ts";
import { createPostgresDriver } from "./sql/postgres.ts";
import type { SqlDriver } from "./sql/sql-driver.ts";
import { createSqlRunner } from "./sql/sql-step.ts";
import { createSqliteDrivers } from "./sql/sqlite.ts";
import { inDatabaseSpan, inStorageSpan } from "./traced-database.ts";
import { type Connections, storageOf, withConnection, withDatabase } from "./use-connection.ts";

export interface DatabasesDeps {
  runFiles: RunFiles;
  folders: OwnerFolders;
}

export interface Databases {
  /** How a connection to a database or to object storage is tested. */
  connectionTests: Record<"database" | "s3", TestConnection>;
  /** The steps of databases and object storage. A step opens a connection and closes it; nothing is kept between steps. */
  createRunners(connections: Connections): Record<"sql" | "redis" | "s3", StepRunner>;
}

/** A query on a SQLite file keeps a core busy, so one owner never has all the slots of a larger machine. */
const SQLITE_PER_OWNER = 2;

/** The databases and the object storage of users. */
export function createDatabases(
  {
    egress,
    limits,
    clock,
    config,
    tracing,
  }: Pick<Platform, "egress" | "limits" | "clock" | "config" | "tracing">,
  { runFiles, folders }: DatabasesDeps,
): Databases {
  const queue = limits.share({
    share: "databases",
    slots: config.workerConcurrency,
    perKey: "database_connections",
  });
  const sqliteQueue = limits.share({
    share: "sqlite_files",
    slots: availableParallelism(),
    perKey: SQLITE_PER_OWNER,
  });
  const sqliteOf = createSqliteDrivers({ folders, runFiles, queue: sqliteQueue });

  const traced =
    (target: DatabaseTarget, driver: SqlDriver): SqlDriver =>
    (...given) =>
      inDatabaseSpan(tracing, target, () => driver(...given));

  function driverOf(ownerId: string, target: DatabaseTarget | SqliteTarget): SqlDriver {
    switch (target.type) {
      case "postgres":
        return traced(target, createPostgresDriver({ egress }, target));
      case "mysql":
        return traced(target, createMySqlDriver({ egress }, target));
      case "sqlite":
        return sqliteOf(ownerId, target.path);
      case "redis":
        throw invalidField("connection", "is a Redis server; use a redis step");
    }
  }

  const createRunners: Databases["createRunners"] = (connections) => ({
    sql: createSqlRunner({
      withDriver: (call, work) =>
        withDatabase(connections, call, (target) => work(driverOf(call.ownerId, target))),
      runFiles,
      limits,
      queue,
    }),
    redis: createRedisRunner({
      egress,
      withTarget: (call, work) =>
        withDatabase(connections, call, (target) => {
          if (target.type === "redis") return inDatabaseSpan(tracing, target, () => work(target));
          throw invalidField("connection", `must have a redis:// URL, not one of ${target.type}`);
        }),
      limits,
      queue,
    }),
    s3: createS3Runner({
      egress,
      withStorage: (call, work) =>
        withConnection(connections, call, "s3", (use) => {
          const storage = storageOf(use);
          return inStorageSpan(tracing, storage.endpoint, () => work(storage));
        }),
      runFiles,
      limits,
      clock,
      queue,
    }),
  });

  return {
    connectionTests: { database: createDatabaseTest({ egress, driverOf }), s3: createS3Test({ egress }) },
    createRunners,
  };
}
