import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readEnvironment } from "../config.ts";
import { migrations } from "../storage/migrations/all.ts";
import { runCommand, log, usage } from "./command.ts";
import { restore } from "./restore.ts";

// `npm run restore -- <backup> [--data-dir <folder>]`
await runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: { "data-dir": { type: "string" } },
    allowPositionals: true,
  });
  const [backup] = positionals;
  if (backup === undefined || positionals.length !== 1)
    throw usage("restore", "<backup> [--data-dir <empty or new folder>]");
  const dataDir = resolve(values["data-dir"] ?? readEnvironment().dataDir);
  const manifest = await restore({
    backup: resolve(backup),
    dataDir,
    knownSchema: migrations.at(-1)?.version ?? 0,
    log,
  });
  const held = new Set(manifest.files.map(({ path }) => path));
  log(`${manifest.rows["task"] ?? 0} tasks as of ${manifest.createdAt} restored to ${dataDir}`);
  if (!held.has("encryption-key"))
    log("the backup does not contain the encryption key: set ENCRYPTION_KEY to its previous value");
});
