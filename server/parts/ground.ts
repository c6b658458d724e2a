import type { Config } from "../config.ts";
import { loadKeys } from "../key-files.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createLogger } from "../log.ts";
import { createEgress } from "../security/egress.ts";
import { createSecretBox } from "../security/secret-box.ts";
import { migrate } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/all.ts";
import { openSqlite } from "../storage/sqlite/sqlite-db.ts";
import type { Ground } from "./part.ts";

/** Opens the database and the keys. Whatever is wrong with them is told before anything listens. */
export async function openGround(
  config: Config,
  clock: Clock,
): Promise<Ground & { jwtSecret: string; close(): Promise<void> }> {
  // Falling back to the embedded database in silence would put a team's tasks where nobody looks for them.
  if (config.databaseUrl !== undefined) {
    throw new AppError(
      "postgres_not_available",
      "DATABASE_URL is set, but this version runs on its embedded database only. Unset it.",
    );
  }
  const logger = createLogger(config.logLevel);
  const db = openSqlite({ folder: config.dataDir });
  await migrate(db, migrations, clock.now());
  const { jwtSecret, encryptionKeys } = loadKeys(config);
  const egress = createEgress({ listenHost: config.host, ...config.egress });
  return {
    config,
    clock,
    logger,
    db,
    jwtSecret,
    box: createSecretBox(encryptionKeys as [Buffer, ...Buffer[]]),
    egress,
    report: (error, what) => logger.error({ err: error }, `failed: ${what}`),
    async close() {
      await egress.close();
      await db.close();
    },
  };
}
