import { join } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { limitsOf } from "../../limits/testing/limits-of.ts";
import type { LimitValues } from "../../limits/limits.ts";
import type { Db } from "../../storage/db.ts";
import { createFolderStores } from "../../storage/files/folder-store.ts";
import { createRunFileStore } from "../run-file.sql.ts";
import { createRunFiles, type RunFiles } from "../run-files.ts";

/** Files between steps on a test's database and folder. */
export function openRunFiles(
  { db, folder }: { db: Db; folder: string },
  limits: Partial<LimitValues> = {},
  clock: { now(): number } = systemClock,
): RunFiles {
  return createRunFiles({
    store: createRunFileStore(db),
    files: createFolderStores(folder).area("run-files"),
    incomingFolder: join(folder, "run-files", "incoming"),
    limits: limitsOf(limits),
    clock,
  });
}

/** For runners that read and write no file. */
export const noRunFiles = {} as RunFiles;
