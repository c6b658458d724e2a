import { threadCpuMs } from "../../lib/thread-cpu.ts";

/**
 * What a file may take of a reader's CPU time: more with its size and with every page that is done. CPU time, because
 * on a busy machine a good file takes as long by the clock as a hostile one on an idle machine.
 */
export interface ReadingTime {
  startMs: number;
  perMegabyteMs: number;
  /** A page takes 10 ms. A file whose pages take much longer is hostile or useless to a search. */
  perPageMs: number;
  maxCpuMs: number;
  /** Time by the clock, for a reader that waits for something that never happens. */
  timeoutMs: number;
}

export const defaultReadingTime: ReadingTime = {
  startMs: 15_000,
  perMegabyteMs: 1000,
  perPageMs: 250,
  maxCpuMs: 120_000,
  timeoutMs: 600_000,
};

const CHECK_EVERY_MS = 250;

/**
 * The CPU time after which reading must have ended. A page cannot be interrupted in the thread that reads it, and one
 * limit for all files would let six kilobytes of nested commands hold a reader as long as 5,000 pages may.
 */
export function allowedMs(time: ReadingTime, file: { bytes: number; pagesDone: number }): number {
  const earned = (file.bytes / 2 ** 20) * time.perMegabyteMs + file.pagesDone * time.perPageMs;
  return Math.min(time.maxCpuMs, Math.round(time.startMs + earned));
}

export interface ReadingTimer {
  /** The thread runs. `statFile` is its `threadStatFile()`. */
  start(statFile: string | undefined): void;
  /** Every page that is done extends the time. */
  progress(pagesDone: number): void;
  /** All pages are read. What remains is bounded by their number. */
  read(): void;
  /** The thread waits for something that has its own limit. */
  pause(): void;
  resume(): void;
  stop(): void;
}

/** Calls `onExpired` when the time is over. CPU time counts from `start`: loading the thread's program is not the file's. */
export function createReadingTimer(
  time: ReadingTime,
  bytes: number,
  onExpired: (seconds: number) => void,
): ReadingTimer {
  let allowed = time.maxCpuMs;
  let cpuMs = (): number => 0;
  let elapsedMs = 0;
  let checkedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  function check(): void {
    const now = performance.now();
    elapsedMs += now - checkedAt;
    checkedAt = now;
    const used = cpuMs();
    if (elapsedMs >= time.timeoutMs) onExpired(Math.round(elapsedMs / 1000));
    else if (used > allowed) onExpired(Math.round(used / 1000));
    else schedule();
  }
  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(check, Math.min(CHECK_EVERY_MS, time.timeoutMs - elapsedMs));
  }
  schedule();
  return {
    start(statFile) {
      cpuMs = threadCpuMs(statFile);
      allowed = allowedMs(time, { bytes, pagesDone: 0 });
    },
    progress(pagesDone) {
      allowed = allowedMs(time, { bytes, pagesDone });
    },
    read() {
      allowed = time.maxCpuMs;
    },
    pause: () => clearTimeout(timer),
    resume() {
      checkedAt = performance.now();
      schedule();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
