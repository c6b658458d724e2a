import type { TestConnection } from "../connections/connection-app.ts";
import type { Egress } from "../security/egress.ts";
import { createBucketClient } from "../storage/files/bucket/bucket-client.ts";
import { type DatabaseTarget, parseDatabaseUrl, type SqliteTarget } from "./database-url.ts";
import { withRedis } from "./redis/redis-client.ts";
import { toS3Failure } from "./s3/s3-failure.ts";
import type { SqlDriver } from "./sql/sql-driver.ts";
import { storageOf } from "./use-connection.ts";

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 15_000;

export interface DatabaseTestDeps {
  egress: Pick<Egress, "resolve" | "dispatcher">;
  driverOf(ownerId: string, target: Exclude<DatabaseTarget | SqliteTarget, { type: "redis" }>): SqlDriver;
}

/** Opens the database and reads one value: `select 1`, or `PING` for Redis. */
export function createDatabaseTest({ egress, driverOf }: DatabaseTestDeps): TestConnection {
  return async (use, signal) => {
    const target = parseDatabaseUrl(use.secretValues["url"] ?? "");
    if (target.type === "redis")
      await withRedis({ egress }, target, { signal, maxReceivedBytes: MAX_BYTES }, (send) => send("PING"));
    else
      await driverOf(use.ownerId, target)(
        {
          statements: [{ query: "select 1", parameters: [] }],
          transaction: false,
          maxRows: 1,
          maxReceivedBytes: MAX_BYTES,
          maxHeldBytes: MAX_BYTES,
          maxCellSize: MAX_BYTES,
          timeoutMs: TIMEOUT_MS,
        },
        () => Promise.resolve(true),
        signal,
      );
    const { user } = use.settings;
    return { account: typeof user === "string" && user !== "" ? user : null };
  };
}

/** Lists one key of the bucket. */
export function createS3Test({ egress }: Pick<DatabaseTestDeps, "egress">): TestConnection {
  return async (use, signal) => {
    const { bucket, ...storage } = storageOf(use);
    if (bucket === undefined)
      return { account: null, untested: "There is nothing to call. Add a bucket that the key may list." };
    const settings = { ...storage, bucket, prefix: "" };
    const dispatcher = await egress.dispatcher();
    const client = createBucketClient({ settings, dispatcher, signal });
    const query = { "list-type": "2", "max-keys": "1" };
    await client
      .send({ method: "GET", key: "", query }, ({ body }) => body.dump({ limit: MAX_BYTES }))
      .catch((error: unknown) => {
        throw toS3Failure(error, settings, undefined);
      });
    return { account: null };
  };
}
