import { readFileSync, readlinkSync } from "node:fs";

/** Linux counts CPU time in hundredths of a second for programs, whatever its own clock is. */
const MS_PER_TICK = 10;

/** The file in which Linux keeps the CPU time of the calling thread. Undefined on other systems. */
export function threadStatFile(): string | undefined {
  try {
    return `/proc/${readlinkSync("/proc/thread-self")}/stat`;
  } catch {
    return undefined;
  }
}

/**
 * Measures the CPU time that a thread of this process uses from now on, in milliseconds. Node 20 knows that of the
 * process only: without a file it is the smaller of that and the time by the clock, which the thread cannot exceed.
 */
export function threadCpuMs(statFile: string | undefined): () => number {
  const started = performance.now();
  const ofProcess = processCpuMs();
  const ofThread = readThread(statFile);
  return () => {
    const now = ofThread === undefined ? undefined : readThread(statFile);
    if (ofThread !== undefined && now !== undefined) return now - ofThread;
    return Math.min(performance.now() - started, processCpuMs() - ofProcess);
  };
}

function readThread(statFile: string | undefined): number | undefined {
  if (statFile === undefined) return undefined;
  try {
    // The second field is the name of the program in parentheses and may contain blanks.
    const stat = readFileSync(statFile, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * MS_PER_TICK : undefined;
  } catch {
    return undefined;
  }
}

function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
