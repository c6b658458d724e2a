import { sqlOnServer } from "../support/postgres.ts";
import { createCluster } from "./cluster.ts";
import { watchHistory } from "./cluster-history.ts";
import { startCountingServer } from "./counting-server.ts";
import { enter } from "./service.ts";
import { startOwnPostgres } from "./own-postgres.ts";
import { createRandom } from "./random.ts";

export interface FourthReport {
  /** From the start of the fourth process to its first claim, in milliseconds. */
  firstTaskMs: number;
  /** From its start until it is ready. */
  readyMs: number;
  /** Tasks claimed within five seconds after it was ready: by it, and by all three workers. */
  taken: number;
  takenByAll: number;
  /** Number of queued tasks when it joined. */
  queued: number;
}

const SLOTS = "4";
const WATCHED_MS = 5000;
/** More than two workers with four slots each complete within the time. */
const TASKS = 1500;

/** One API process and two workers with more tasks than slots; then a third worker joins. */
export async function runFourth(folder: string): Promise<FourthReport> {
  const server = await startOwnPostgres();
  const outside = await startCountingServer();
  const cluster = createCluster({
    databaseUrl: server.url,
    folder,
    random: createRandom(1),
    settings: { LOG_LEVEL: "error", WORKER_CONCURRENCY: SLOTS },
  });
  try {
    for (const role of ["api", "worker", "worker"] as const) await cluster.join(role);
    await watchHistory(server.url);
    const ada = await enter(() => cluster.currentAddress()!);
    const call = (stepId: string) => ({ stepId, type: "http", url: `${outside.address}/slow?n=1` });
    const workflowId = await ada.workflow(["a", "b", "c"].map(call));
    for (let sent = 0; sent < TASKS; sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => ada.post(`/api/workflows/${workflowId}/run`)));
    const [waiting] = await sqlOnServer(
      server.url,
      "select count(*) as tasks from task where status = 'queued'",
    );
    const startedAt = Date.now();
    const { service } = await cluster.join("worker");
    const readyAt = startedAt + service!.readyMs;
    const taken = async (): Promise<{ worker: string; at: number }[]> =>
      (await sqlOnServer(
        server.url,
        "select worker, at from chaos_transition where move = 'queued>running' order by at",
      )) as never;
    const [fourth] = await sqlOnServer(server.url, "select id from worker order by started_at desc limit 1");
    const isFourth = ({ worker }: { worker: string }): boolean => worker === fourth!["id"];
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await pause(100))
      if (Date.now() > readyAt + WATCHED_MS && (await taken()).some(isFourth)) break;
    const claims = await taken();
    const watched = claims.filter(({ at }) => at >= readyAt && at < readyAt + WATCHED_MS);
    return {
      firstTaskMs: (claims.find(isFourth)?.at ?? Infinity) - startedAt,
      readyMs: Math.round(service!.readyMs),
      taken: watched.filter(isFourth).length,
      takenByAll: watched.length,
      queued: Number(waiting?.["tasks"]),
    };
  } finally {
    await cluster.close();
    await outside.close();
    await server.close();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
