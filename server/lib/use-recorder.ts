import type { Clock } from "./clock.ts";

const FLUSH_AFTER_MS = 5_000;

export interface Use {
  at: number;
  /** The address of the caller; undefined for credentials that do not record it. */
  address?: string | undefined;
}

export interface UseRecorderDeps {
  write(uses: ReadonlyMap<string, Use>): Promise<void>;
  clock: Clock;
  /** Called when the last uses could not be written; the next flush retries them. */
  onError?: ((error: unknown) => void) | undefined;
}

export type UseRecorder = ReturnType<typeof createUseRecorder>;

/** Last uses by id. A busy credential is written once every few seconds, not on every call. */
export function createUseRecorder({ write, clock, onError = () => {} }: UseRecorderDeps) {
  const uses = new Map<string, Use>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (uses.size === 0) return;
    const written = new Map(uses);
    try {
      await write(written);
    } catch (error) {
      onError(error);
      return;
    }
    for (const [id, use] of written) if (uses.get(id) === use) uses.delete(id);
  }

  return {
    record(id: string, address?: string): void {
      uses.set(id, { at: clock.now(), address });
      timer ??= setTimeout(() => void flush(), FLUSH_AFTER_MS).unref();
    },

    /** The last use, also one that is not written yet. */
    lastUseOf: ({ id, lastUsedAt }: { id: string; lastUsedAt: number | null }): number | null =>
      uses.get(id)?.at ?? lastUsedAt,

    /** A use that is not written yet. */
    pendingUseOf: (id: string): Use | undefined => uses.get(id),

    close: flush,
  };
}
