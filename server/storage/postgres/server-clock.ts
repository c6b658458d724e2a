import type { Clock } from "../../lib/clock.ts";
import type { Db } from "../db.ts";

/** The server's time at a moment of ours that cannot jump, and by how much it may be wrong. */
export interface ClockReading {
  serverMs: number;
  atMonotonic: number;
  doubtMs: number;
}

const PAUSE_MS = 10_000;
const FIRST_LOOKS = 3;
/** What two clocks drift apart in a millisecond, at most. */
const DRIFT = 1e-4;
/** Clocks that are kept agree more closely than a look at the server can tell: then ours is the finer one. */
const AGREED_MS = 100;
const NOTABLE_MS = 1000;

const READ = "select cast(extract(epoch from clock_timestamp()) * 1000 as double precision) as ms";

/**
 * The time by the database server's clock. Leases, claims, due times and windows are written by one process and judged by
 * another: by the clocks of their machines, one that is an hour ahead would take over what is alive, and what it queues
 * would be due in an hour. Between two looks at the server the time goes on by our clock that cannot jump.
 */
export async function followServerClock(
  db: Pick<Db, "query">,
  own: Clock,
  onProblem: (message: string) => void,
): Promise<{ clock: Clock; stop(): void }> {
  async function read(): Promise<ClockReading> {
    const asked = own.monotonic();
    const [row] = await db.query<{ ms: number }>(READ);
    const answered = own.monotonic();
    return {
      serverMs: Number(row?.ms),
      atMonotonic: (asked + answered) / 2,
      doubtMs: (answered - asked) / 2,
    };
  }

  let current = await read();
  const look = async (): Promise<void> => void (current = better(current, await read()));
  for (let looks = 1; looks < FIRST_LOOKS; looks += 1) await look();
  const now = (): number => {
    const [server, ours] = [timeBy(current, own.monotonic()), own.now()];
    return Math.abs(ours - server) <= AGREED_MS ? ours : Math.floor(server);
  };

  const aheadMs = own.now() - now();
  if (Math.abs(aheadMs) > NOTABLE_MS)
    onProblem(
      `the clock of this machine is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? "ahead of" : "behind"} the database server's, which is the one that counts`,
    );
  // While the server is away the time goes on by itself.
  const timer = setInterval(() => void look().catch(() => undefined), PAUSE_MS).unref();
  return { clock: { now, monotonic: () => own.monotonic() }, stop: () => clearInterval(timer) };
}

function timeBy({ serverMs, atMonotonic }: ClockReading, monotonic: number): number {
  return serverMs + monotonic - atMonotonic;
}

/**
 * An answer that took long says little: the older reading stays while it is the surer one. But not against one that
 * it cannot be reconciled with: then a clock was set, a machine slept, or the server is another.
 */
export function better(older: ClockReading, newer: ClockReading): ClockReading {
  const doubtMs = older.doubtMs + (newer.atMonotonic - older.atMonotonic) * DRIFT;
  const apartMs = Math.abs(timeBy(older, newer.atMonotonic) - newer.serverMs);
  return newer.doubtMs <= doubtMs || apartMs > doubtMs + newer.doubtMs ? newer : older;
}
