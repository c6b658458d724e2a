// Decides whether node_modules is complete, and installs it.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "./run-program.mjs";

const ATTEMPTS = 3;
/** Errors of npm when the installation of another process, or what it left behind, is in the way. */
const LEFTOVERS = /\b(ENOTEMPTY|EEXIST|ENOENT|EBUSY)\b/;

/**
 * npm writes node_modules/.package-lock.json as the last step of an installation. It is complete if that file has every
 * package of package-lock.json and each has its folder: a removal that was interrupted leaves the file.
 */
export function isInstalled(root) {
  const wanted = packagesOf(join(root, "package-lock.json"));
  const installed = packagesOf(join(root, "node_modules", ".package-lock.json"));
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === "") return true;
    const found = installed[path];
    // npm omits optional packages of other platforms.
    if (found === undefined) return optional === true;
    return found.version === version && found.integrity === integrity && existsSync(join(root, path));
  });
}

/** Runs `npm ci`. Returns how it ended, as runProgram does. */
export async function install(root) {
  const program = join(root, "scripts", "npm-ci.mjs");
  for (let attempt = 1; ; attempt += 1) {
    // Without this file an interrupted installation cannot pass for a complete one.
    rmSync(join(root, "node_modules", ".package-lock.json"), { force: true });
    const ended = await runProgram(process.execPath, [program], { cwd: root });
    if (ended.status === 0 || ended.interrupted) return ended;
    if (attempt === ATTEMPTS || !LEFTOVERS.test(ended.output)) return ended;
    rmSync(join(root, "node_modules"), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages ?? {};
  } catch {
    return {};
  }
}
