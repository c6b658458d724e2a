// Bundles the server into dist/: one file per entry point. The bundle starts in a third of the time of several hundred
// small modules.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import esbuild from "esbuild";
import { root } from "./prepare.mjs";
import { finishService, serviceBundle } from "./service-bundle.mjs";
import { workerBundle } from "./worker-bundle.mjs";

const target = join(root, "dist", "server");

/** Builds into a temporary folder and renames file by file: a process that starts meanwhile finds the old or the new file. */
async function build() {
  mkdirSync(target, { recursive: true });
  const out = mkdtempSync(join(root, "dist", ".server-"));
  try {
    const output = { absWorkingDir: root, outdir: out, sourcemap: "linked", logLevel: "warning" };
    await esbuild.build({
      ...output,
      entryPoints: [{ in: "server/main.ts", out: "main" }, ...commands()],
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20",
    });
    await esbuild.build({ ...output, ...serviceBundle, entryPoints: ["server/service.ts"] });
    finishService(join(out, "service.cjs"));
    // Workers are separate entry points: `x.worker.ts` becomes dist/server/x.worker.js next to the bundle.
    await esbuild.build({ ...output, ...workerBundle, entryPoints: workers() });
    await writeDatabaseTemplate(out);
    const built = readdirSync(out);
    for (const file of built) renameSync(join(out, file), join(target, file));
    for (const file of readdirSync(target)) if (!built.includes(file)) rmSync(join(target, file));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Stores the file that a new SQLite database begins with, in place of all migrations one by one. */
async function writeDatabaseTemplate(out) {
  const program = join(out, "write-template.mjs");
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["server/storage/sqlite/write-template.ts"],
    outfile: program,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
  const { writeTemplate } = await import(pathToFileURL(program).href);
  await writeTemplate(join(out, "new-database.sqlite"));
  rmSync(program);
}

/** Commands for operators: `x-command.ts` becomes dist/server/x.js. */
function commands() {
  return readdirSync(join(root, "server", "operations"))
    .filter((file) => file.endsWith("-command.ts"))
    .map((file) => ({ in: join("server", "operations", file), out: basename(file, "-command.ts") }));
}

function workers() {
  return readdirSync(join(root, "server"), { recursive: true })
    .filter((path) => path.endsWith(".worker.ts"))
    .map((path) => ({ in: join("server", path), out: basename(path, ".ts") }));
}

await build();
