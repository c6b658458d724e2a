import type { Config } from "../config.ts";
import { loadKeys } from "../key-files.ts";
import type { Clock } from "../lib/clock.ts";
import { createLimits } from "../limits/limits.ts";
import { createLogger } from "../log.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import { createEgress } from "../security/egress.ts";
import { createSecretBox } from "../security/secret-box.ts";
import { migrate } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/all.ts";
import { openDatabase } from "../storage/open-database.ts";
import { openFiles } from "./open-files.ts";
import { checkKeys } from "../storage/key-check.ts";
import { createRateLimiter } from "../lib/rate-limiter.ts";
import { createSharedRateLimiter } from "../storage/shared-rate-limiter.ts";
import { makePrivate } from "../storage/private-folder.ts";
import { watchWrites } from "../storage/write-watch.ts";
import { openCollector } from "./open-collector.ts";
import type { Platform } from "./part.ts";

/** Opens files, database and keys; configuration problems surface before the server listens. */
export async function openPlatform(
  config: Config,
  testClock?: Clock,
): Promise<Platform & { jwtSecrets: [string, ...string[]]; close(): Promise<void> }> {
  const logger = createLogger(config.logLevel);
  const onProblem = (message: string): void => logger.warn(`database: ${message}`);
  makePrivate(config.dataDir, (message) => logger.warn(message));
  const files = await openFiles(config);
  const opened = await openDatabase({ ...config.database, folder: config.dataDir, onProblem });
  const clock = testClock ?? opened.clock;
  const metrics = createMetrics();
  const { db, probe } = watchWrites(opened.db, metrics.observeWrite);
  const closeAndThrow = async (error: unknown): Promise<never> => {
    await db.close();
    throw error;
  };
  await migrate(db, migrations, clock.now()).catch(closeAndThrow);
  const { jwtSecrets, encryptionKeys } = loadKeys(config);
  const box = createSecretBox(encryptionKeys as [Buffer, ...Buffer[]]);
  const isShared = config.database.url !== undefined;
  await checkKeys({ db, box, jwtSecrets, isShared, onProblem }).catch(closeAndThrow);
  const telemetry = await openCollector(config, metrics.registry, (message) => logger.warn(message));
  const tracing = telemetry?.tracing;
  const egress = createEgress({ ...config.egress, tracing });
  return {
    config,
    clock,
    logger,
    metrics,
    tracing,
    limits: createLimits(config.limits.values, metrics.registry, clock),
    db,
    probe,
    files,
    jwtSecrets,
    limiter: (name, perMinute) =>
      isShared ? createSharedRateLimiter(db, name, perMinute, clock) : createRateLimiter(perMinute, clock),
    box,
    egress,
    report: (error, what) => logger.error({ err: error }, `failed: ${what}`),
    async close() {
      await telemetry?.close();
      await egress.close();
      await files.close();
      await db.close();
    },
  };
}
