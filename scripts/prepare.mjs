// Shared by `npm start` and `npm test`: a supported Node version, installed packages, an up-to-date build.
// Plain JavaScript without packages, since it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireNode } from "../bin/require-node.mjs";
import { install, isInstalled } from "./installation.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));
const log = (text) => console.log(`baton: ${text}`);

/** Installs and builds what a new clone needs; with `dev`, also the packages of tests and checks. */
export async function prepare({ dev = false } = {}) {
  requireNode();
  await ensureInstalled({ dev });
  await ensureBuilt();
}

/** Installs packages unless node_modules already has those of the lock file. */
export async function ensureInstalled({ dev = false } = {}) {
  if (isInstalled(root, { dev })) return;
  log(`installing packages${dev ? ", with those of the tests" : ""} (npm ci) …`);
  const { status, output } = await install(root, { dev });
  if (status === 0) return;
  console.error(output);
  process.exit(status ?? 1);
}

/** Builds the service and the page if their files have changed since the last build. */
export async function ensureBuilt() {
  const shared = ["package.json", "package-lock.json", ...sourceFiles("contract")];
  // Each build is a separate process, so that the service does not keep the memory of the bundlers.
  const build = (script) => run(process.execPath, [join(root, "scripts", script)]);
  const service = [
    ...shared,
    "scripts/build.mjs",
    "scripts/service-bundle.mjs",
    "scripts/worker-bundle.mjs",
    ...sourceFiles("apps"),
    ...sourceFiles("server"),
  ];
  await buildIfChanged("built", "the service", service, () => build("build.mjs"));
  const page = [...shared, "scripts/build-web.mjs", ...sourceFiles("web")];
  await buildIfChanged("built-web", "the page", page, () => build("build-web.mjs"));
}

async function buildIfChanged(name, label, files, build) {
  const stamp = join(root, "dist", `.baton-${name}`);
  const wanted = hashOf(files);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  log(`building ${label} …`);
  await build();
  mkdirSync(join(root, "dist"), { recursive: true });
  writeFileSync(stamp, wanted);
}

export function run(command, args, options = {}) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
    ...options,
  });
  if (status !== 0) process.exit(status ?? 1);
}

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length))
    .filter((path) => !path.includes("/testing/"))
    .toSorted();
}

/** Hashes size and modification time instead of content: reading a thousand files would slow down every start. */
function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const path = join(root, file);
    if (!existsSync(path)) continue;
    const { size, mtimeMs } = statSync(path);
    hash.update(file.endsWith(".json") ? readFileSync(path) : `${file}:${size}:${mtimeMs};`);
  }
  return hash.digest("hex");
}
