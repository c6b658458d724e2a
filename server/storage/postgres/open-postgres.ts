import { Client } from "pg";
import type { Db, ExclusiveDb, Row, SqlParams } from "../db.ts";
import { readAddress } from "./address.ts";
import { checkPool } from "./check-pool.ts";
import { checkServer } from "./check-server.ts";
import { exclusively } from "./exclusively.ts";
import { type Send, sendExactlyOnce, sendRepeatable, writeRepeatable } from "./exactly-once.ts";
import { createLane, type Lane } from "./lane.ts";
import { createLanes } from "./lanes.ts";
import { createListener } from "./listener.ts";
import { createNotifier, notification, WITHOUT_WAITING } from "./notifier.ts";
import { OLD_RECEIPTS, PRELUDE, PRELUDE_IS_THERE } from "./prelude.ts";

export interface PostgresOptions {
  url: string;
  /** For LISTEN, where `url` leads to a pooler that cannot keep it. */
  directUrl?: string | undefined;
  /** Connections for reading and writing together, at least 3. Listening takes one more. */
  poolSize?: number;
  /** So long a lost server is waited for before a caller hears of it. */
  patienceMs?: number;
  answerTimeoutMs?: number;
  echoTimeoutMs?: number;
  onProblem?: (message: string) => void;
}

const DAY_MS = 24 * 3600 * 1000;
const CONNECT_TIMEOUT_MS = 5000;

/** PostgreSQL: the same `Db` for many processes on many machines. */
export async function openPostgres({
  url: givenUrl,
  directUrl: givenDirectUrl,
  poolSize = 10,
  patienceMs = 15_000,
  answerTimeoutMs = 15_000,
  echoTimeoutMs = 5000,
  onProblem = () => undefined,
}: PostgresOptions): Promise<Db> {
  const url = readAddress(givenUrl, "DATABASE_URL");
  const directUrl = givenDirectUrl === undefined ? url : readAddress(givenDirectUrl, "DATABASE_DIRECT_URL");
  let named = true;
  let closed = false;

  const connectTo = async (address: string): Promise<Client> => {
    const client = new Client({
      connectionString: address,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    // Without a listener an error before the connection stands would end the process.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  const lane = (): Lane => createLane({ connect: () => connectTo(url), named: () => named, answerTimeoutMs });
  const shared = {
    patienceMs,
    onUnprepared() {
      if (named)
        onProblem("the server forgets prepared statements, as behind a pooler: they are sent anew each time");
      named = false;
    },
  };
  // Two to four batches under way keep the server's log busy; more of them only meet at the same rows.
  const writers = Math.min(4, Math.max(1, Math.floor(poolSize / 3)));
  const lanes = (count: number): Lane[] => Array.from({ length: Math.max(1, count) }, lane);
  const [writeLanes, readLanes] = [lanes(writers), lanes(poolSize - writers)];
  const writes = createLanes({ ...shared, lanes: writeLanes, groupStatements: 1000 });
  const reads = createLanes({ ...shared, lanes: readLanes, groupStatements: 32 });
  const repeatable = (): Send => sendRepeatable;
  const repeatableWrite = (): Send => writeRepeatable;
  const exactlyOnce = sendExactlyOnce();
  // Beside the reads: nothing that must be durable shares a transaction that does not wait for the disk.
  const notifier = createNotifier((statements) => reads.submit([WITHOUT_WAITING, ...statements], repeatable));
  const listener = createListener({
    connect: () => connectTo(directUrl),
    say: (channel, payload) => writes.submit([notification(channel, payload)], repeatable),
    echoTimeoutMs,
    onProblem,
  });

  const db: Db = {
    async query<T extends Row>(sql: string, params?: SqlParams): Promise<T[]> {
      const [rows] = await reads.submit([{ sql, ...(params && { params }) }], repeatable);
      return rows as T[];
    },
    batch(statements, { repeatable: again = false, alone = false } = {}) {
      // Told here and not by the queue, so that the error's stack names who writes after the end.
      if (closed)
        return Promise.reject(new Error("The database is closed; nothing can be written any more."));
      const send = again ? repeatableWrite : exactlyOnce;
      // Only those are sent together that are sent in the same way: this way is its own.
      return writes.submit(statements, alone ? () => send() : send);
    },
    listen: (channel, handler) => listener.listen(`baton_${channel}`, handler),
    notify(channel, payload) {
      if (!closed) notifier.notify(`baton_${channel}`, payload);
    },
    dialect: "postgres",
    writers,
    async exclusively(work) {
      // A migration of a large table may take its time.
      const own = createLane({ connect: () => connectTo(url), named: () => false, answerTimeoutMs: DAY_MS });
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
      await Promise.all([reads.close(), writes.close()]);
    },
  };
  try {
    const check = { connectTo, timeoutMs: answerTimeoutMs };
    const { isPooled } = await checkServer({ ...check, url, setting: "DATABASE_URL" });
    if (directUrl !== url) await checkServer({ ...check, url: directUrl, setting: "DATABASE_DIRECT_URL" });
    if (isPooled) {
      // One more, as listening needs, and before it whoever brings the schema up to date.
      const oneMore = lane();
      try {
        await checkPool([...writeLanes, ...readLanes, oneMore], url);
      } finally {
        await oneMore.close();
      }
    }
    await prepare(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

async function prepare(db: Db): Promise<void> {
  const isThere = async (asked: ExclusiveDb): Promise<boolean> =>
    (await asked.query(PRELUDE_IS_THERE)).length > 0;
  if (!(await isThere(db))) {
    await db.exclusively(async (alone) => {
      if (!(await isThere(alone))) await alone.batch(PRELUDE.map((sql) => ({ sql })));
    });
  }
  await db.batch([{ sql: OLD_RECEIPTS }], { repeatable: true });
}
