import { setImmediate } from "node:timers/promises";
import type { Config } from "../../config.ts";
import { loadKeys } from "../../key-files.ts";
import type { Clock } from "../../lib/clock.ts";
import { createSecretBox, type SecretBox } from "../../security/secret-box.ts";
import type { Db } from "../../storage/db.ts";
import { migrate } from "../../storage/migrate.ts";
import { migrations } from "../../storage/migrations/all.ts";
import { openDatabase } from "../../storage/open-database.ts";
import { requireDatabaseFile } from "../data-folder.ts";

export interface Instance {
  db: Db;
  box: SecretBox;
  now(): number;
  clock: Clock;
  close(): Promise<void>;
}

/** Opens the database as the service does. The embedded one is refused while the service runs. */
export async function openInstance(config: Config, onProblem: (message: string) => void): Promise<Instance> {
  // Before the keys are read: a wrong DATA_DIR must not be filled with new ones.
  if (config.database.url === undefined) requireDatabaseFile(config.dataDir);
  const { db, clock } = await openDatabase({ ...config.database, folder: config.dataDir, onProblem });
  try {
    await migrate(db, migrations, clock.now());
    const box = createSecretBox(loadKeys(config).encryptionKeys as [Buffer, ...Buffer[]]);
    return { db, box, now: clock.now, clock, close };

    async function close(): Promise<void> {
      // Notifications are sent after this turn of the event loop.
      await setImmediate();
      await db.close();
    }
  } catch (error) {
    await db.close();
    throw error;
  }
}
