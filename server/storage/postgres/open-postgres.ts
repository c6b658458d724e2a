import type { Client as PgClient } from "pg";
import type { Db, ExclusiveDb, QueryOptions, Row, SqlParams, Statement } from "../db.ts";
import { type AddressSetting, readAddress } from "./address.ts";
import { checkPool } from "./check-pool.ts";
import { checkServer } from "./check-server.ts";
import { exclusively } from "./exclusively.ts";
import { type Send, sendExactlyOnce, sendRepeatable, writeRepeatable } from "./exactly-once.ts";
import { createLane, type Lane } from "./lane.ts";
import { createLanes } from "./lanes.ts";
import { createListener } from "./listener.ts";
import { createNotifier, notification } from "./notifier.ts";
import { OLD_RECEIPTS, PRELUDE, PRELUDE_EXISTS } from "./prelude.ts";

export interface PostgresOptions {
  url: string;
  /** For LISTEN, when `url` points to a pooler that cannot keep it. */
  directUrl?: string | undefined;
  /** Connections for reading, writing and heartbeats together, at least 3. Listening takes one more. */
  poolSize?: number;
  /** How long calls wait for a lost server before they fail. */
  retryForMs?: number;
  replyTimeoutMs?: number;
  echoTimeoutMs?: number;
  onProblem?: (message: string) => void;
  /** Where `url` comes from, for messages about it. */
  setting?: AddressSetting;
}

const DAY_MS = 24 * 3600 * 1000;
const CONNECT_TIMEOUT_MS = 5000;
/**
 * For the rest of the transaction. PostgreSQL would plan each poll and each claim again, because it expects more rows
 * without knowing the values: a quarter of the server's time for a call that is handed to a worker. For the same reason
 * it would choose other scans, which visit each task that was queued since the last vacuum; an index scan marks them.
 */
const GENERIC_PLANS: Statement = {
  sql: `select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true)`,
};
/** Time limit of a dedicated batch. */
const DEDICATED_MS = 3000;

/** PostgreSQL: the same `Db` for many processes on many machines. */
export async function openPostgres({
  url: givenUrl,
  directUrl: givenDirectUrl,
  poolSize = 10,
  retryForMs = 15_000,
  replyTimeoutMs = 15_000,
  echoTimeoutMs = 5000,
  onProblem = () => undefined,
  setting = "DATABASE_URL",
}: PostgresOptions): Promise<Db> {
  const url = readAddress(givenUrl, setting);
  const directUrl = givenDirectUrl === undefined ? url : readAddress(givenDirectUrl, "DATABASE_DIRECT_URL");
  let named = true;
  let copiesRows = false;
  let closed = false;

  const connectTo = async (address: string): Promise<PgClient> => {
    // An instance with the embedded database never loads it.
    const { Client } = await import("pg");
    const client = new Client({
      connectionString: address,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    // Without a handler, an error before the connection is established would end the process.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  const lane = (timeoutMs = replyTimeoutMs): Lane =>
    createLane({ connect: () => connectTo(url), named: () => named, replyTimeoutMs: timeoutMs });
  const shared = {
    retryForMs,
    onUnprepared() {
      if (named)
        onProblem(
          "the server does not keep prepared statements, as behind a pooler; each statement is sent in full",
        );
      named = false;
    },
  };
  // Two to four batches in flight keep the server's WAL busy; more only contend for the same rows.
  const writers = Math.min(4, Math.max(1, Math.floor(poolSize / 3)));
  const lanes = (count: number): Lane[] => Array.from({ length: Math.max(1, count) }, () => lane());
  const [writeLanes, readLanes] = [lanes(writers), lanes(poolSize - writers - 1)];
  const dedicatedLane = lane(Math.min(replyTimeoutMs, DEDICATED_MS));
  const writes = createLanes({ ...shared, lanes: writeLanes, groupStatements: 1000 });
  const reads = createLanes({ ...shared, lanes: readLanes, groupStatements: 32 });
  const dedicated = createLanes({
    ...shared,
    retryForMs: Math.min(retryForMs, DEDICATED_MS),
    // Peers count the silence: the first heartbeat after an outage must not come late.
    longestPauseMs: 100,
    lanes: [dedicatedLane],
    groupStatements: 1,
  });
  const repeatable = (): Send => sendRepeatable;
  // Batches share a transaction only when they share the function that makes their send function.
  const genericRead = (): Send => sendRepeatable;
  const repeatableWrite = (): Send => writeRepeatable;
  const exactlyOnce = sendExactlyOnce();
  // Sent with the reads: a durable write must never share a transaction that does not wait for the disk.
  const notifier = createNotifier((statements) => reads.submit(statements, repeatable));
  const listener = createListener({
    connect: () => connectTo(directUrl),
    publish: (channel, payload) => writes.submit([notification(channel, payload)], repeatable),
    echoTimeoutMs,
    onProblem,
  });

  const db: Db = {
    async query<T extends Row>(
      sql: string,
      params?: SqlParams,
      { genericPlan = false }: QueryOptions = {},
    ): Promise<T[]> {
      const statement = { sql, ...(params && { params }) };
      const rows = genericPlan
        ? await reads.submit([GENERIC_PLANS, statement], genericRead)
        : await reads.submit([statement], repeatable);
      return rows.at(-1) as T[];
    },
    async batch(
      statements,
      { repeatable: again = false, alone = false, dedicated: isDedicated = false, genericPlan = false } = {},
    ) {
      // Rejected here and not in the queue, so that the stack trace names the caller that writes after close.
      if (closed) throw new Error("The database is closed.");
      if (isDedicated) return dedicated.submit(statements, repeatableWrite);
      const send = again ? repeatableWrite : exactlyOnce;
      // A new function keeps this batch alone.
      if (genericPlan) return (await writes.submit([GENERIC_PLANS, ...statements], () => send())).slice(1);
      return writes.submit(statements, alone ? () => send() : send);
    },
    listen: (channel, handler) => listener.listen(`baton_${channel}`, handler),
    notify(channel, payload) {
      if (!closed) notifier.notify(`baton_${channel}`, payload);
    },
    dialect: "postgres",
    writers,
    get copiesRows() {
      return copiesRows;
    },
    async exclusively(work) {
      // A migration of a large table may take long.
      const own = createLane({ connect: () => connectTo(url), named: () => false, replyTimeoutMs: DAY_MS });
      try {
        return await exclusively(await own.session(), work);
      } finally {
        await own.close();
      }
    },
    async close() {
      closed = true;
      notifier.close();
      await listener.close();
      await Promise.all([reads.close(), writes.close(), dedicated.close()]);
    },
  };
  try {
    const check = { connectTo, timeoutMs: replyTimeoutMs };
    const { isPooled } = await checkServer({ ...check, url, setting });
    if (directUrl !== url) await checkServer({ ...check, url: directUrl, setting: "DATABASE_DIRECT_URL" });
    if (isPooled) {
      // One more for the listener, which the migration uses before it.
      const oneMore = lane();
      try {
        await checkPool([...writeLanes, ...readLanes, dedicatedLane, oneMore], url);
      } finally {
        await oneMore.close();
      }
    }
    copiesRows = !isPooled;
    await prepare(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

async function prepare(db: Db): Promise<void> {
  const exists = async (asked: ExclusiveDb): Promise<boolean> =>
    (await asked.query(PRELUDE_EXISTS)).length > 0;
  if (!(await exists(db))) {
    await db.exclusively(async (alone) => {
      if (!(await exists(alone))) await alone.batch(PRELUDE.map((sql) => ({ sql })));
    });
  }
  await db.batch([{ sql: OLD_RECEIPTS }], { repeatable: true });
}
