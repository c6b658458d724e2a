// Decides whether node_modules is complete, and installs it. Running needs the packages of the service and those that
// build it; `dev` adds the ones of the tests and checks.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pruneAll } from "./prune.mjs";
import { runProgram } from "./run-program.mjs";

/** npm replaces this host by that of the configured registry. */
const REGISTRY = "https://registry.npmjs.org";
const MANIFESTS = ["package.json", "web/package.json", ".npmrc"];

/**
 * npm writes node_modules/.package-lock.json as the last step of an installation. It is complete if that file has every
 * wanted package of package-lock.json and each has its folder: a removal that was interrupted leaves the file.
 */
export function isInstalled(root, { dev = false } = {}) {
  const wanted = packagesOf(join(root, "package-lock.json"));
  const installed = packagesOf(join(root, "node_modules", ".package-lock.json"));
  return Object.entries(wanted).every(([path, entry]) => {
    if (!isDownloaded(path, entry)) return true;
    if (entry.dev === true && !dev) return true;
    const found = installed[path];
    // npm omits optional packages of other platforms.
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return (
      found.version === entry.version && found.integrity === entry.integrity && existsSync(join(root, path))
    );
  });
}

/**
 * Runs `npm ci` in its own folder and then replaces node_modules, so that an interrupted installation leaves no half
 * of it. Returns how npm ended, as runProgram does.
 */
export async function install(root, { dev = false } = {}) {
  const program = join(root, "scripts", "npm-ci.mjs");
  const staging = join(root, "dist", ".install");
  const lock = readJson(join(root, "package-lock.json"));
  try {
    let ended;
    for (const content of [withAddresses(lock), lock]) {
      stage(root, staging, content);
      ended = await runProgram(process.execPath, [program, ...(dev ? [] : ["--omit=dev"])], { cwd: staging });
      // A registry may have the packages at other addresses. Then npm has to look them up.
      if (ended.interrupted || !ended.output.includes("E404")) break;
    }
    if (ended.status === 0) replace(join(root, "node_modules"), join(staging, "node_modules"));
    return ended;
  } finally {
    remove(staging);
  }
}

function stage(root, staging, lock) {
  remove(staging);
  mkdirSync(join(staging, "web"), { recursive: true });
  for (const file of MANIFESTS)
    if (existsSync(join(root, file))) copyFileSync(join(root, file), join(staging, file));
  writeFileSync(join(staging, "package-lock.json"), JSON.stringify(lock));
}

function replace(target, source) {
  if (!existsSync(source)) return;
  pruneAll(source);
  remove(target);
  renameSync(source, target);
}

/**
 * The lock file has hashes and no addresses. Without addresses npm downloads the list of all versions of every package,
 * which doubles the time of the installation.
 */
function withAddresses(lock) {
  const packages = Object.entries(lock.packages ?? {}).map(([path, entry]) => {
    if (!isDownloaded(path, entry)) return [path, entry];
    const name = entry.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const file = `${name.split("/").at(-1)}-${entry.version}.tgz`;
    return [path, { ...entry, resolved: `${REGISTRY}/${name}/-/${file}` }];
  });
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** The project itself and its workspaces are not downloaded. */
function isDownloaded(path, { link }) {
  return path.includes("node_modules/") && link !== true;
}

function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

function packagesOf(file) {
  try {
    return readJson(file).packages ?? {};
  } catch {
    return {};
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
