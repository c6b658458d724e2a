import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive, stopPostgresIn } from "./postgres-server.ts";

const PREFIX = "baton-postgres-";

/** Vitest's set-up of a run: a folder in which the first test that needs PostgreSQL may start it, and its end. */
export function setup(): () => void {
  clearOrphans();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // The server may run as another user, who has to get through.
  chmodSync(folder, 0o755);
  process.env["BATON_TEST_POSTGRES"] = folder;
  return () => clear(folder);
}

/** What a run left behind that was killed. */
function clearOrphans(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) clear(join(tmpdir(), name));
  }
}

function clear(folder: string): void {
  stopPostgresIn(join(folder, "server"));
  rmSync(folder, { recursive: true, force: true });
}
