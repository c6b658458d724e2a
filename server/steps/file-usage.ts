import type { FileStore } from "../lib/file-store.ts";
import { permanentFailure } from "./step-failure.ts";

export interface FileUsageLimits {
  /** Files and folders of one owner. */
  maxNames: number;
  /** Total size of the files of one owner. */
  maxTotalBytes: number;
}

interface Usage {
  names: number;
  bytes: number;
}

const KEPT_OWNERS = 1000;

/**
 * Limits how much of the disk one owner uses. The folder is counted once and the count then kept up to date: a loop over
 * ten thousand items would otherwise list ten thousand files each time. Other processes and people change the folder
 * too, so a count over the limit is verified before a write is rejected.
 */
export function createFileUsage(limits: FileUsageLimits) {
  const known = new Map<string, Usage>();

  async function current(ownerId: string, files: FileStore): Promise<Usage> {
    const kept = known.get(ownerId) ?? (await measure(files));
    known.delete(ownerId);
    known.set(ownerId, kept);
    const [oldest] = known.keys();
    if (known.size > KEPT_OWNERS && oldest !== undefined) known.delete(oldest);
    return kept;
  }

  function isOver({ names, bytes }: Usage, more: Usage): boolean {
    return names + more.names > limits.maxNames || bytes + more.bytes > limits.maxTotalBytes;
  }

  return {
    async reserve(ownerId: string, files: FileStore, more: Usage): Promise<void> {
      let usage = await current(ownerId, files);
      if (isOver(usage, more)) {
        known.delete(ownerId);
        usage = await current(ownerId, files);
      }
      if (isOver(usage, more))
        throw permanentFailure(
          "folder_full",
          `Your folder is full: the limit is ${limits.maxNames} files and folders and ${limits.maxTotalBytes} bytes. Delete some files.`,
        );
      usage.names += more.names;
      usage.bytes += more.bytes;
    },
    /** After a delete. */
    release(ownerId: string, less: Usage): void {
      const usage = known.get(ownerId);
      if (usage === undefined) return;
      usage.names -= less.names;
      usage.bytes -= less.bytes;
    },
  };
}

export type FileUsage = ReturnType<typeof createFileUsage>;

async function measure(files: FileStore): Promise<Usage> {
  const usage: Usage = { names: 0, bytes: 0 };
  for await (const { bytes } of files.walk()) {
    usage.names += 1;
    usage.bytes += bytes;
  }
  return usage;
}
