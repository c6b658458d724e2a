import { join } from "node:path";
import type { Part, Platform } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import { createFileCopies, type FileCopies } from "./file-copies.ts";
import { runFileRoutes } from "./run-file.routes.ts";
import { createRunFileStore } from "./run-file.sql.ts";
import { createRunFiles, type RunFiles } from "./run-files.ts";

const AREA = "run-files";
const SWEEP_MS = 3600_000;

export interface RunFilesPart extends Part {
  runFiles: RunFiles;
  fileCopies: FileCopies;
}

/** Files that travel between steps as references. */
export function createRunFilesPart({ config, clock, db, files, limits, report }: Platform): RunFilesPart {
  const area = files.area(AREA);
  const runFiles = createRunFiles({
    store: createRunFileStore(db),
    files: area,
    incomingFolder: join(config.dataDir, AREA, "incoming"),
    limits,
    clock,
  });
  const sweep = (): void =>
    void runFiles.sweep().catch((error: unknown) => report(error, "removing incomplete files"));
  let timer: NodeJS.Timeout | undefined;
  limits.reports("owner_file_bytes", (ownerId) => runFiles.usage(ownerId));
  return {
    runFiles,
    fileCopies: createFileCopies(area, runFiles.newPath),
    routes: (http) => runFileRoutes(http, runFiles),
    start() {
      sweep();
      timer = setInterval(sweep, SWEEP_MS).unref();
    },
    async close() {
      clearInterval(timer);
    },
    async eraseOwner(ownerId, batches) {
      await area.removeFolder(ownerId);
      await batches.deleteAll((limit) => deleteOwned(db, "run_file", ownerId, limit));
    },
  };
}
