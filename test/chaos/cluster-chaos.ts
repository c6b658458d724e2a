import { stubModelSettings } from "../support/stub-model-server.ts";
import { slowDuration, type SlowMs } from "./chaos.ts";
import { createCluster, type Role } from "./cluster.ts";
import { type Fault, type FaultKind, faultKinds, faultPlan, injectFault } from "./cluster-faults.ts";
import { type ClusterSession, openWork, readClusterHistory, watchHistory } from "./cluster-history.ts";
import { startCountingServer } from "./counting-server.ts";
import { explainEffects, type Explanation, unrecordedEffects } from "./effects.ts";
import { faultsOf, isPoisoned, lostOf, wrongEnds } from "./history.ts";
import { describeLosses, explainByLosses } from "./losses.ts";
import { startLoad } from "./load.ts";
import { type PoolerSettings, startOwnPooler } from "./own-pooler.ts";
import { startOwnPostgres } from "./own-postgres.ts";
import { createRandom } from "./random.ts";
import { lostSessions, undelivered, wrongLogs } from "./room-history.ts";
import { openRooms, type Rooms, startSpeakers } from "./rooms.ts";
import { untilSettled } from "./settle.ts";

export interface ClusterChaosOptions {
  folder: string;
  seed: number;
  faults: number;
  /** All kinds by default; fewer narrow a failure down. */
  kinds?: readonly FaultKind[];
  /** No further fault after this long. */
  maxMs: number;
  /** Longest pause before a fault. */
  maxPauseMs?: number;
  leaseMs: number;
  /** Pause of each caller between two calls. */
  callPauseMs?: number;
  roles?: readonly Role[];
  /** Pooler between the processes and the server; none by default. */
  pooler?: PoolerSettings | undefined;
  /** Duration of slow steps. */
  slowMs: SlowMs;
  log?: (line: string) => void;
}

export interface ClusterChaosReport {
  injected: Fault[];
  accepted: number;
  refused: number;
  unanswered: number;
  tasks: number;
  entries: number;
  sessions: number;
  /** Acknowledged tasks and sessions that are missing or unfinished. */
  lost: string[];
  /** Steps executed again, before or after a record, although neither a crash nor an expired lease explains it. */
  repeated: string[];
  /**
   * Effects that were not recorded, by reason. `in flight`: sent before a process was suspended, arrived after it
   * continued; no engine can revoke those.
   */
  explained: Record<Explanation, number>;
  /** Tasks failed after three crashes without progress. */
  poisoned: number;
  /** Every other broken invariant. */
  wrong: string[];
  /** From each fault to the first end of a task after it, in milliseconds. */
  recoveries: { kind: Fault["kind"]; ms: number }[];
  /** From acceptance to end, in milliseconds, sorted, without tasks that waited for approval. */
  durations: number[];
}

/** One process per role: tasks run in the process that accepted them or in another. */
const ROLES = ["api", "all", "worker"] as const;
/** Three processes and their listeners fit into a pool of 20. */
const BEHIND_POOLER = { DATABASE_POOL_SIZE: "5" };
/** The processes complete everything, unless nothing changes for so long. */
const IDLE_MS = 120_000;
const SLOW_CALLERS = 6;

/** Runs processes and their server under load and seven kinds of faults, then checks the database. */
export async function runClusterChaos({
  folder,
  seed,
  faults: count,
  kinds,
  maxMs,
  maxPauseMs = 2500,
  leaseMs,
  callPauseMs = 60,
  roles = ROLES,
  pooler: poolerSettings,
  slowMs,
  log = () => undefined,
}: ClusterChaosOptions): Promise<ClusterChaosReport> {
  const random = createRandom(seed);
  const server = await startOwnPostgres();
  const pooler = poolerSettings && (await startOwnPooler(server.url, poolerSettings));
  const outside = await startCountingServer(undefined, slowDuration(slowMs, createRandom(seed + 3)));
  const speakers = await startSpeakers();
  const cluster = createCluster({
    databaseUrl: pooler?.url ?? server.url,
    folder,
    random: createRandom(seed + 2),
    settings: {
      LOG_LEVEL: "error",
      LEASE_MS: String(leaseMs),
      TEAM_JOIN_WAIT_MS: "0",
      ...(poolerSettings && BEHIND_POOLER),
      ...(poolerSettings?.direct && { DATABASE_DIRECT_URL: server.url }),
      ...stubModelSettings(speakers),
    },
  });
  let isClean = false;
  try {
    for (const role of roles) await cluster.join(role);
    await watchHistory(server.url);
    const { currentAddress } = cluster;
    const load = await startLoad({
      currentAddress,
      outside: outside.address,
      random: createRandom(seed + 1),
      callers: 6,
      slowCallers: SLOW_CALLERS,
      pauseMs: callPauseMs,
    });
    const rooms = await openRooms({ currentAddress, login: load.login, teams: 2 });
    const injected: Fault[] = [];
    const began = performance.now();
    for (const kind of faultPlan(
      count,
      kinds ?? [...faultKinds, ...(pooler ? (["pooler"] as const) : [])],
      random,
    )) {
      if (performance.now() - began > maxMs) break;
      await pause(random.between(300, maxPauseMs));
      await load.approveAll().catch(() => undefined);
      const fault = await injectFault(kind, { cluster, server, pooler, random, leaseMs });
      injected.push(fault);
      log(`${timeOf(fault)} ${injected.length}. ${fault.description}; ${load.accepted.size} tasks accepted`);
    }
    await Promise.all([load.stop(), rooms.stop(), cluster.allReady()]);
    await untilSettled(async () => {
      await load.approveAll().catch(() => undefined);
      return openWork(server.url);
    }, IDLE_MS);
    const history = await readClusterHistory(server.url);
    await untilTold(rooms, history.sessions);
    rooms.close();
    const { explained, unexplained } = explainEffects(
      unrecordedEffects(history, outside.arrivals),
      explainByLosses(history.losses, injected, leaseMs),
      describeLosses(history.losses, injected, history.heartbeats),
    );
    const report = {
      injected,
      accepted: load.accepted.size,
      refused: load.refused(),
      unanswered: load.unanswered(),
      tasks: history.tasks.size,
      entries: [...history.entries.values()].reduce((sum, list) => sum + list.length, 0),
      sessions: history.sessions.length,
      lost: [...lostOf(history, load.accepted), ...lostSessions(rooms, history.sessions)],
      repeated: unexplained,
      explained,
      poisoned: [...history.tasks.values()].filter(isPoisoned).length,
      wrong: [
        ...cluster.faults,
        ...load.faults,
        ...faultsOf(history),
        ...history.faults,
        ...wrongEnds(history, load.accepted),
        ...rooms.faults,
        ...wrongLogs(history.sessions),
        ...undelivered(rooms, history.sessions),
      ],
      recoveries: injected.map(({ kind, from }) => ({
        kind,
        ms: (history.endings.find((at) => at > from) ?? Infinity) - from,
      })),
      durations: history.durations,
    };
    isClean = report.lost.length + report.repeated.length + report.wrong.length === 0;
    return report;
  } finally {
    await cluster.close();
    await Promise.all([outside.close(), speakers.close(), pooler?.close()]);
    if (isClean) await server.close();
    else {
      await server.stop();
      log(`The database is kept in ${server.folder}.`);
    }
  }
}

/** As in `12:30:15.250`, UTC. */
const timeOf = ({ from }: Fault): string => new Date(from).toISOString().slice(11, -1);

/** Hints between processes may be lost; polling finds the change later. */
async function untilTold(rooms: Rooms, sessions: readonly ClusterSession[]): Promise<void> {
  for (const deadline = performance.now() + 30_000; performance.now() < deadline; await pause(100))
    if (undelivered(rooms, sessions).length === 0) return;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
