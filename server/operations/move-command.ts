import { parseArgs } from "node:util";
import { readEnvironment } from "../config.ts";
import { AppError } from "../lib/errors.ts";
import { openFiles } from "../platform/open-files.ts";
import { openPostgres } from "../storage/postgres/open-postgres.ts";
import { runCommand, log, usage } from "./command.ts";
import { move } from "./move/move.ts";

// `npm run move -- --to postgres://… [--files s3]`
await runCommand(async () => {
  const { values } = parseArgs({ options: { to: { type: "string" }, files: { type: "string" } } });
  if (values.to === undefined || !/^postgres(ql)?:\/\//.test(values.to))
    throw usage("move", "--to postgres://user:password@host:5432/database [--files s3]");
  const config = readEnvironment();
  const toBucket = values.files === "s3";
  if (values.files !== undefined && !toBucket)
    throw usage("move", "--to <url> --files s3; omit --files to keep the files where they are");
  if (toBucket && config.bucket === undefined)
    throw new AppError("no_bucket", "--files s3 needs a bucket: set S3_ENDPOINT, S3_BUCKET and its keys.");
  if (!toBucket && config.bucket !== undefined)
    throw new AppError(
      "no_bucket",
      "A bucket is configured, and the service would look for files there. Add --files s3.",
    );

  const { host, pathname } = new URL(values.to);
  const files = toBucket ? await openFiles(config) : undefined;
  const target = await openPostgres({ url: values.to, setting: "--to", onProblem: log });
  try {
    await move({ dataDir: config.dataDir, target, targetName: host + pathname, files, log });
  } finally {
    await target.close();
    await files?.close();
  }
  log(`moved to ${host}${pathname}. Before you start the service there:`);
  log("  set DATABASE_URL, and set JWT_SECRET and ENCRYPTION_KEY to the same values everywhere;");
  log(
    `  if you never set them, they are in ${config.dataDir}/jwt-secret and ${config.dataDir}/encryption-key`,
  );
  if (!toBucket) log(`  files stay in ${config.dataDir}: every process needs that folder as its DATA_DIR`);
});
