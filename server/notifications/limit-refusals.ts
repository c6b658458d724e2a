import type { LimitName } from "../../contract/limits.ts";

export interface LimitRefusal {
  ownerId: string;
  limit: LimitName;
  count: number;
}

export interface LimitRefusalsDeps {
  write(refusals: readonly LimitRefusal[]): Promise<void>;
  onError(error: unknown): void;
}

const FLUSH_AFTER_MS = 1000;

/** Counts refused work. A flood is one small write in a second, not one for each refusal. */
export function createLimitRefusals({ write, onError }: LimitRefusalsDeps) {
  let counted = new Map<string, LimitRefusal>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const refusals = [...counted.values()];
    counted = new Map();
    if (refusals.length > 0) writing = writing.then(() => write(refusals)).catch(onError);
    return writing;
  }

  return {
    record(ownerId: string, limit: LimitName): void {
      const key = `${ownerId} ${limit}`;
      const count = (counted.get(key)?.count ?? 0) + 1;
      counted.set(key, { ownerId, limit, count });
      timer ??= setTimeout(() => void flush(), FLUSH_AFTER_MS).unref();
    },

    close: flush,
  };
}
