import type { Clock } from "../../lib/clock.ts";
import type { Db } from "../db.ts";

/** The server's time at a moment of the local monotonic clock, with its uncertainty. */
export interface ClockReading {
  serverMs: number;
  atMonotonic: number;
  uncertaintyMs: number;
}

const PAUSE_MS = 10_000;
const FIRST_READINGS = 3;
/** Largest drift between two clocks, per millisecond. */
const DRIFT = 1e-4;
/** Synchronized clocks agree more closely than a reading can measure; then the local clock is more precise. */
const AGREED_MS = 100;
const NOTABLE_MS = 1000;

const READ = "select cast(extract(epoch from clock_timestamp()) * 1000 as double precision) as ms";

/**
 * Time by the database server's clock. Leases, claims and due times are written by one process and compared by another:
 * with local clocks, a machine an hour ahead would take over live tasks and queue its own work an hour late. Between two
 * readings, time advances by the local monotonic clock.
 */
export async function followServerClock(
  db: Pick<Db, "query">,
  own: Clock,
  onProblem: (message: string) => void,
): Promise<{ clock: Clock; stop(): void }> {
  async function read(): Promise<ClockReading> {
    const sentAt = own.monotonic();
    const [row] = await db.query<{ ms: number }>(READ);
    const receivedAt = own.monotonic();
    return {
      serverMs: Number(row?.ms),
      atMonotonic: (sentAt + receivedAt) / 2,
      uncertaintyMs: (receivedAt - sentAt) / 2,
    };
  }

  let current = await read();
  const refresh = async (): Promise<void> => void (current = better(current, await read()));
  for (let readings = 1; readings < FIRST_READINGS; readings += 1) await refresh();
  const now = (): number => {
    const [server, ours] = [timeBy(current, own.monotonic()), own.now()];
    return Math.abs(ours - server) <= AGREED_MS ? ours : Math.floor(server);
  };

  const aheadMs = own.now() - now();
  if (Math.abs(aheadMs) > NOTABLE_MS)
    onProblem(
      `the clock of this machine is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? "ahead of" : "behind"} the clock of the database server, which Baton uses`,
    );
  // While the server is unreachable, time keeps advancing by the monotonic clock.
  const timer = setInterval(() => void refresh().catch(() => undefined), PAUSE_MS).unref();
  return { clock: { now, monotonic: () => own.monotonic() }, stop: () => clearInterval(timer) };
}

function timeBy({ serverMs, atMonotonic }: ClockReading, monotonic: number): number {
  return serverMs + monotonic - atMonotonic;
}

/**
 * Keeps the reading with less uncertainty: a slow reply says little. A newer reading that contradicts the older one always
 * wins: a clock was set, a machine was suspended, or the server changed.
 */
export function better(older: ClockReading, newer: ClockReading): ClockReading {
  const uncertaintyMs = older.uncertaintyMs + (newer.atMonotonic - older.atMonotonic) * DRIFT;
  const apartMs = Math.abs(timeBy(older, newer.atMonotonic) - newer.serverMs);
  return newer.uncertaintyMs <= uncertaintyMs || apartMs > uncertaintyMs + newer.uncertaintyMs
    ? newer
    : older;
}
