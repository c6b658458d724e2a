import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readEnvironment } from "../config.ts";
import { AppError } from "../lib/errors.ts";
import { backUp } from "./backup.ts";
import { runCommand, log, usage } from "./command.ts";

// `npm run backup -- <folder>`
await runCommand(async () => {
  // Refuses options, so that `--help` is not taken for a folder.
  const { positionals } = parseArgs({ allowPositionals: true });
  const [target] = positionals;
  if (target === undefined || positionals.length !== 1) throw usage("backup", "<empty or new folder>");
  const config = readEnvironment();
  if (config.database.url !== undefined)
    throw new AppError(
      "not_embedded",
      "DATABASE_URL is set: this instance stores its data in PostgreSQL. Back it up with pg_dump, together with the files (docs/operate/backup.md).",
    );
  const { files, rows } = await backUp({ dataDir: config.dataDir, target: resolve(target), log });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  log(`${rows["task"] ?? 0} tasks, ${rows["workflow"] ?? 0} workflows, ${bytes} bytes in ${resolve(target)}`);
  log("the backup contains the keys to your secrets: store it where only you can read it");
  if (config.encryptionKeys.length > 0 || config.jwtSecret !== undefined)
    log(
      "ENCRYPTION_KEY or JWT_SECRET come from your settings and are NOT part of the backup: store them elsewhere",
    );
  if (config.bucket !== undefined)
    log(`files in the bucket ${config.bucket.bucket} are NOT part of the backup`);
});
