import type { FileStore } from "../lib/file-store.ts";
import { createKeyedQueue } from "../lib/keyed-queue.ts";
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
  /** Reserved for writes that have not ended: a new count may not see their files yet. */
  const pending = new Map<string, Usage>();
  const turns = createKeyedQueue();

  async function current(ownerId: string, files: FileStore): Promise<Usage> {
    // Read before the count: a write that ends during it may be in neither.
    const unfinished = pending.get(ownerId) ?? NOTHING;
    const kept = known.get(ownerId) ?? add(await measure(files), unfinished);
    known.delete(ownerId);
    known.set(ownerId, kept);
    const [oldest] = known.keys();
    if (known.size > KEPT_OWNERS && oldest !== undefined) known.delete(oldest);
    return kept;
  }

  function isOver({ names, bytes }: Usage): boolean {
    return names > limits.maxNames || bytes > limits.maxTotalBytes;
  }

  function settle(ownerId: string, more: Usage): void {
    const left = subtract(pending.get(ownerId) ?? NOTHING, more);
    if (left.names === 0 && left.bytes === 0) pending.delete(ownerId);
    else pending.set(ownerId, left);
  }

  return {
    /** Returns a function to call when the write has ended, successfully or not. */
    reserve: (ownerId: string, files: FileStore, more: Usage): Promise<() => void> =>
      turns.run(ownerId, async () => {
        let usage = add(await current(ownerId, files), more);
        if (isOver(usage)) {
          known.delete(ownerId);
          usage = add(await current(ownerId, files), more);
        }
        if (isOver(usage))
          throw permanentFailure(
            "folder_full",
            `Your folder is full: the limit is ${limits.maxNames} files and folders and ${limits.maxTotalBytes} bytes. Delete some files.`,
          );
        known.set(ownerId, usage);
        pending.set(ownerId, add(pending.get(ownerId) ?? NOTHING, more));
        return () => settle(ownerId, more);
      }),
    /** After a delete. */
    release(ownerId: string, less: Usage): void {
      const usage = known.get(ownerId);
      if (usage !== undefined) known.set(ownerId, subtract(usage, less));
    },
  };
}

const NOTHING: Usage = { names: 0, bytes: 0 };

function add(one: Usage, other: Usage): Usage {
  return { names: one.names + other.names, bytes: one.bytes + other.bytes };
}

function subtract(from: Usage, less: Usage): Usage {
  return { names: from.names - less.names, bytes: from.bytes - less.bytes };
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
