import { readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";

const ABANDONED_MS = 3600_000;

/** Removes files that a crash left behind. Recent files stay: another process may be writing them. */
export async function sweepAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    const stats = await stat(file).catch(() => undefined);
    if (stats && Date.now() - stats.mtimeMs > ABANDONED_MS) await unlink(file).catch(() => {});
  }
}
