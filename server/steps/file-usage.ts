import { opendir, lstat } from "node:fs/promises";
import { join } from "node:path";
import { permanentFailure } from "./step-failure.ts";

export interface FileUsageLimits {
  /** Files and folders of one owner. */
  maxNames: number;
  /** Of all files of one owner together. */
  maxTotalBytes: number;
}

interface Usage {
  names: number;
  bytes: number;
}

const KEPT_OWNERS = 1000;

/**
 * Keeps one owner from filling the disk for all. Counted once by a walk and then kept up to date, because a
 * loop over ten thousand items would otherwise walk ten thousand files each time. Other processes and people
 * change the folder too, so a count over the limit is taken anew before anybody is refused.
 */
export function createFileUsage(limits: FileUsageLimits) {
  const known = new Map<string, Usage>();

  async function current(root: string): Promise<Usage> {
    const kept = known.get(root) ?? (await measure(root));
    known.delete(root);
    known.set(root, kept);
    const [oldest] = known.keys();
    if (known.size > KEPT_OWNERS && oldest !== undefined) known.delete(oldest);
    return kept;
  }

  function isOver({ names, bytes }: Usage, more: Usage): boolean {
    return names + more.names > limits.maxNames || bytes + more.bytes > limits.maxTotalBytes;
  }

  return {
    async reserve(root: string, more: Usage): Promise<void> {
      let usage = await current(root);
      if (isOver(usage, more)) {
        known.delete(root);
        usage = await current(root);
      }
      if (isOver(usage, more))
        throw permanentFailure(
          "folder_full",
          `Your folder is full: it may hold ${limits.maxNames} files and folders and ${limits.maxTotalBytes} bytes. Delete some first.`,
        );
      usage.names += more.names;
      usage.bytes += more.bytes;
    },
    /** After a delete. */
    release(root: string, less: Usage): void {
      const usage = known.get(root);
      if (usage === undefined) return;
      usage.names -= less.names;
      usage.bytes -= less.bytes;
    },
  };
}

export type FileUsage = ReturnType<typeof createFileUsage>;

async function measure(folder: string): Promise<Usage> {
  const usage: Usage = { names: 0, bytes: 0 };
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    usage.names += 1;
    if (entry.isDirectory()) {
      const below = await measure(path);
      usage.names += below.names;
      usage.bytes += below.bytes;
    } else usage.bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
  }
  return usage;
}
