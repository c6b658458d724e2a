/** What a file may take of a reader's time: more with its size and with every page that is done. */
export interface ReadingTime {
  startMs: number;
  perMegabyteMs: number;
  /** A page takes 10 ms on an idle core. A file whose pages take much longer is hostile or useless to a search. */
  perPageMs: number;
  timeoutMs: number;
}

export const defaultReadingTime: ReadingTime = {
  startMs: 30_000,
  perMegabyteMs: 1000,
  perPageMs: 250,
  timeoutMs: 120_000,
};

/**
 * The time since the start at which reading must have ended. A page cannot be interrupted in the thread that reads it,
 * and one limit for all files would let six kilobytes of nested commands hold a reader as long as 5,000 pages may.
 */
export function allowedMs(time: ReadingTime, file: { bytes: number; pagesDone: number }): number {
  const earned = (file.bytes / 2 ** 20) * time.perMegabyteMs + file.pagesDone * time.perPageMs;
  return Math.min(time.timeoutMs, Math.round(time.startMs + earned));
}

/**
 * Calls `onExpired` when the time is over. It counts from `start`: a busy machine takes seconds to start a thread. While
 * other programs keep this process from computing, the file gets more time.
 */
export function createReadingTimer(
  time: ReadingTime,
  bytes: number,
  onExpired: (seconds: number) => void,
): { start(): void; progress(pagesDone: number): void; read(): void; stop(): void } {
  let startedAt = performance.now();
  let startedCpuMs = cpuMs();
  let timer: NodeJS.Timeout | undefined;
  const restart = (ms: number, until = startedAt + ms): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const now = performance.now();
      if (cpuMs() - startedCpuMs < ms / 2 && now - startedAt < time.timeoutMs) restart(ms, now + ms / 4);
      else onExpired(Math.round((now - startedAt) / 1000));
    }, until - performance.now());
  };
  const progress = (pagesDone: number): void => restart(allowedMs(time, { bytes, pagesDone }));
  restart(time.timeoutMs);
  return {
    start() {
      startedAt = performance.now();
      startedCpuMs = cpuMs();
      progress(0);
    },
    /** Every page that is done extends the time. */
    progress,
    /** All pages are read. What remains is bounded by their number, and waits for the receiver. */
    read: () => restart(time.timeoutMs),
    stop: () => clearTimeout(timer),
  };
}

/** Of the whole process. Node 20 cannot tell that of one thread. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
