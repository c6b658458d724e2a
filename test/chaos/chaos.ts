import { startChild } from "./child-service.ts";
import { startCountingServer } from "./counting-server.ts";
import {
  changesOf,
  faultsOf,
  type History,
  describeRepeat,
  lostOf,
  readHistory,
  repeatsOf,
  wrongEnds,
} from "./history.ts";
import { startLoad } from "./load.ts";
import { createRandom } from "./random.ts";

export interface ChaosOptions {
  dataDir: string;
  seed: number;
  kills: number;
  /** No further kill after this long. */
  maxMs: number;
  log?: (line: string) => void;
}

export interface ChaosReport {
  kills: number;
  accepted: number;
  tasks: number;
  entries: number;
  /** Acknowledged tasks that are missing or have a wrong end. */
  lost: string[];
  /** Steps executed again after their result was recorded, and every other broken invariant. */
  faults: string[];
  /** Milliseconds from the start of the process to `/ready`, sorted. */
  recoveries: number[];
}

/** Time limit for the last process to complete everything. */
const SETTLE_MS = 60_000;

/** Kills the service under load, repeatedly, and reads its files after each kill. */
export async function runChaos({
  dataDir,
  seed,
  kills,
  maxMs,
  log = () => undefined,
}: ChaosOptions): Promise<ChaosReport> {
  const random = createRandom(seed);
  const outside = await startCountingServer();
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: "error" };
  let service = await startChild(settings);
  let address: string | undefined = service.address;
  const load = await startLoad({
    currentAddress: () => address,
    outside: outside.address,
    random: createRandom(seed + 1),
  });
  const recoveries: number[] = [];
  const faults = new Set<string>();
  const lost = new Set<string>();
  let before: History = { tasks: new Map(), entries: new Map() };
  const began = performance.now();
  let done = 0;
  function check(history: History): void {
    for (const fault of [...faultsOf(history), ...changesOf(before, history)]) faults.add(fault);
    for (const repeat of repeatsOf(history, outside.arrivals)) faults.add(describeRepeat(repeat));
    before = history;
  }
  try {
    while (done < kills && performance.now() - began < maxMs) {
      await pause(random.between(30, 700));
      if (random.next() < 0.5) await load.approveAll().catch(() => undefined);
      const acknowledged = [...load.accepted.keys()];
      await service.end("SIGKILL");
      address = undefined;
      done += 1;
      const history = readHistory(dataDir);
      for (const id of acknowledged) if (!history.tasks.has(id)) lost.add(`${id}: acknowledged, not on disk`);
      check(history);
      service = await startChild(settings);
      recoveries.push(service.readyMs);
      ({ address } = service);
      if (done % 10 === 0)
        log(`${done} kills, ${load.accepted.size} tasks accepted, ${lost.size} lost, ${faults.size} faults`);
    }
    await load.stop();
    for (const deadline = performance.now() + SETTLE_MS; performance.now() < deadline; await pause(100)) {
      await load.approveAll();
      if ((await load.unfinished()) === 0) break;
    }
    await service.end("SIGTERM");
    const history = readHistory(dataDir);
    check(history);
    for (const fault of [...load.faults, ...wrongEnds(history, load.accepted)]) faults.add(fault);
    for (const id of lostOf(history, load.accepted)) lost.add(id);
    return {
      kills: done,
      accepted: load.accepted.size,
      tasks: history.tasks.size,
      entries: [...history.entries.values()].reduce((sum, list) => sum + list.length, 0),
      lost: [...lost],
      faults: [...faults],
      recoveries: recoveries.toSorted((a, b) => a - b),
    };
  } finally {
    await load.stop().catch(() => undefined);
    await service.end("SIGKILL");
    await outside.close();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
