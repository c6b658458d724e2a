// What `npm start` and `npm test` share: a supported Node, the installed packages, a fresh build.
// Plain JavaScript without imports from npm, since it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
const say = (text) => console.log(`baton: ${text}`);

/** From a fresh clone to everything built. */
export async function prepare() {
  requireNode();
  ensureInstalled();
  await ensureBuilt();
}

export function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`baton: Node 20.19 or newer is needed, this is ${process.version}.`);
  process.exit(1);
}

/** Installs when the lock file is not the one that node_modules was made from. */
export function ensureInstalled() {
  const stamp = join(root, "node_modules", ".baton-installed");
  const wanted = hashOf(["package-lock.json", "package.json", ".npmrc"]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  say("installing packages (npm ci) …");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(stamp, wanted);
}

/** Builds the service and the page, each when one of its files has changed since its last build. */
export async function ensureBuilt() {
  const shared = ["package.json", "package-lock.json", ...sourceFiles("contract")];
  // Each in a process of its own: what the bundlers need of memory, the service must not carry on with.
  const build = (script) => run(process.execPath, [join(root, "scripts", script)]);
  const service = [...shared, "scripts/build.mjs", ...sourceFiles("server")];
  await unlessFresh("built", "the service", service, () => build("build.mjs"));
  const page = [...shared, "vite.config.ts", "scripts/build-web.mjs", ...sourceFiles("web")];
  await unlessFresh("built-web", "the page", page, () => build("build-web.mjs"));
}

async function unlessFresh(name, what, files, build) {
  const stamp = join(root, "dist", `.baton-${name}`);
  const wanted = hashOf(files);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  say(`building ${what} …`);
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

/** Size and time stand for the content of sources: reading a thousand files at every start would be felt. */
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
