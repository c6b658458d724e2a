import { startChild } from "./child-service.ts";
import { startCountingServer } from "./counting-server.ts";
import { explainByKills, explainEffects, type Explanation, unrecordedEffects } from "./effects.ts";
import {
  changesOf,
  faultsOf,
  type History,
  describeRepeat,
  isPoisoned,
  lostOf,
  readHistory,
  repeatsOf,
  wrongEnds,
} from "./history.ts";
import { type Load, startLoad } from "./load.ts";
import { createRandom, type Random } from "./random.ts";
import { untilSettled } from "./settle.ts";
import { STALLABLE, stall } from "./stall.ts";

export interface ChaosOptions {
  dataDir: string;
  seed: number;
  /** Kills, and one stall of the event loop for every five of them. */
  faults: number;
  /** No further fault after this long. */
  maxMs: number;
  /** Before every second fault at least this many more calls are acknowledged, so that a slow machine is tested under load, too. */
  callsPerSecondFault?: number;
  /** Duration of slow steps; without it none runs. */
  slowMs?: SlowMs;
  /** A pause of each caller after each call, so that a long run has more faults and fewer tasks. */
  callPauseMs?: number;
}

/** A time between the two, shorter ones more often. */
export interface SlowMs {
  min: number;
  max: number;
}

export interface ChaosReport {
  kills: number;
  stalls: number;
  accepted: number;
  tasks: number;
  entries: number;
  /** Acknowledged tasks that are missing or have a wrong end. */
  lost: string[];
  /** Steps executed again although no kill prevented their record, and every other broken invariant. */
  faults: string[];
  /** Effects that were not recorded, by reason. */
  explained: Record<Explanation, number>;
  /** Tasks failed after three kills without progress. */
  poisoned: number;
  /** Milliseconds from the start of the process to `/ready`, sorted. */
  recoveries: number[];
}

/** The last process completes everything, unless nothing changes for so long. */
const IDLE_MS = 60_000;
/** In between kills in quick succession, the service is left alone this often until slow steps have ended. */
const CALM_EVERY = 10;
const SLOW_CALLERS = 3;

/** Kills the service under load, repeatedly, and reads its files after each kill. */
export async function runChaos({
  dataDir,
  seed,
  faults: count,
  maxMs,
  callsPerSecondFault = 0,
  slowMs,
  callPauseMs = 0,
}: ChaosOptions): Promise<ChaosReport> {
  const random = createRandom(seed);
  const outside = await startCountingServer(undefined, slowDuration(slowMs, createRandom(seed + 3)));
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: "error" };
  let service = await startChild(settings, STALLABLE);
  let address: string | undefined = service.address;
  const load = await startLoad({
    currentAddress: () => address,
    outside: outside.address,
    random: createRandom(seed + 1),
    slowCallers: slowMs === undefined ? 0 : SLOW_CALLERS,
    pauseMs: callPauseMs,
  });
  const recoveries: number[] = [];
  const faults = new Set<string>();
  const lost = new Set<string>();
  let before: History = { tasks: new Map(), entries: new Map() };
  const began = performance.now();
  const kills: { from: number; until: number }[] = [];
  let stalls = 0;
  function check(history: History): void {
    for (const fault of [...faultsOf(history), ...changesOf(before, history)]) faults.add(fault);
    for (const repeat of repeatsOf(history, outside.arrivals)) faults.add(describeRepeat(repeat));
    before = history;
  }
  try {
    while (kills.length + stalls < count && performance.now() - began < maxMs) {
      await pause(random.between(30, 700));
      if (random.next() < 0.5) await load.approveAll().catch(() => undefined);
      const done = kills.length + stalls + 1;
      if (done % 2 === 0) await moreCalls(load, callsPerSecondFault);
      if (done % CALM_EVERY === 0) await slowTasksEnd(load, slowMs);
      if (done % 6 === 0) {
        await stall(service.pid, dataDir, random.between(300, 2000));
        stalls += 1;
        continue;
      }
      const acknowledged = [...load.accepted.keys()];
      const from = Date.now();
      await service.end("SIGKILL");
      address = undefined;
      const history = readHistory(dataDir);
      for (const id of acknowledged) if (!history.tasks.has(id)) lost.add(`${id}: acknowledged, not on disk`);
      check(history);
      // The last calls of the killed process waited while the files were read.
      await outside.allCounted();
      kills.push({ from, until: Date.now() });
      service = await startChild(settings, STALLABLE);
      recoveries.push(service.readyMs);
      ({ address } = service);
    }
    await load.stop();
    await untilSettled(async () => {
      await load.approveAll();
      return load.unfinished();
    }, IDLE_MS);
    await service.end("SIGTERM");
    const history = readHistory(dataDir);
    check(history);
    for (const fault of [...load.faults, ...wrongEnds(history, load.accepted)]) faults.add(fault);
    for (const id of lostOf(history, load.accepted)) lost.add(id);
    const { explained, unexplained } = explainEffects(
      unrecordedEffects(history, outside.arrivals),
      explainByKills(kills),
    );
    return {
      kills: kills.length,
      stalls,
      explained,
      poisoned: [...history.tasks.values()].filter(isPoisoned).length,
      accepted: load.accepted.size,
      tasks: history.tasks.size,
      entries: [...history.entries.values()].reduce((sum, list) => sum + list.length, 0),
      lost: [...lost],
      faults: [...faults, ...unexplained],
      recoveries: recoveries.toSorted((a, b) => a - b),
    };
  } finally {
    await load.stop().catch(() => undefined);
    await service.end("SIGKILL");
    await outside.close();
  }
}

export function slowDuration(slowMs: SlowMs | undefined, random: Random): () => number {
  const { min, max } = slowMs ?? { min: 0, max: 0 };
  return () => min + (max - min) * random.next() ** 3;
}

async function moreCalls(load: Load, count: number): Promise<void> {
  const enough = load.accepted.size + count;
  while (load.accepted.size < enough) await pause(20);
}

/** Tasks hit by two kills run one at a time, so this may take longer than one slow step. */
async function slowTasksEnd(load: Load, slowMs: SlowMs | undefined): Promise<void> {
  const current = [...load.slowTasks];
  const deadline = performance.now() + (slowMs?.max ?? 0) * SLOW_CALLERS;
  while (current.some((id) => load.slowTasks.has(id)) && performance.now() < deadline) await pause(100);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
