import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { BatchOptions, Db } from "../../server/storage/db.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { asAdmin, sqlOnServer } from "../support/postgres.ts";
import { type PostgresServer, startPostgres } from "../support/postgres-server.ts";

const TABLE = { sql: "create table item (id text primary key)" };
/** Idempotent, so that it can be sent with either option. */
const put = (id: string) => ({
  sql: "insert into item (id) values ($1) on conflict do nothing",
  params: [id],
});
const MODES: [string, BatchOptions][] = [
  ["once", { repeatable: false }],
  ["repeatable", { repeatable: true }],
];

interface Server extends PostgresServer {
  /** The state after a failover, before a promotion. */
  becomeStandby(): Promise<void>;
}

async function useServer(): Promise<Server> {
  const server = await startPostgres({ durable: true });
  onTestFinished(() => server.close());
  return {
    ...server,
    async becomeStandby() {
      await server.stop("immediate");
      writeFileSync(join(server.folder, "data", "standby.signal"), "");
      await server.start();
    },
  };
}

async function open(url: string): Promise<Db> {
  const db = await openPostgres({ url });
  onTestFinished(() => db.close());
  return db;
}

test("a standby is refused with the reason and the setting", async () => {
  const [primary, standby] = [await useServer(), await useServer()];
  await standby.becomeStandby();
  const refused = (setting: string) => ({
    code: "database_read_only",
    message: expect.stringMatching(`\\(${setting}\\) is a standby`),
  });
  await expect(openPostgres({ url: standby.url })).rejects.toMatchObject(refused("DATABASE_URL"));
  await expect(openPostgres({ url: primary.url, directUrl: standby.url })).rejects.toMatchObject(
    refused("DATABASE_DIRECT_URL"),
  );
});

test.each(MODES)(
  "a write to a server that restarted as a standby waits for its promotion (%s)",
  async (_mode, options) => {
    const server = await useServer();
    const db = await open(server.url);
    await db.batch([TABLE, put("before")]);
    await server.becomeStandby();
    const writing = db.batch([put("during")], options);
    expect(await db.query("select id from item")).toEqual([{ id: "before" }]);
    await asAdmin(server.url, "select pg_promote()");
    await writing;
    expect(await db.query("select count(*) as n from item")).toEqual([{ n: 2 }]);
  },
);

// Other sessions see such a write although no standby has it: a failover now would lose it.
test.each(MODES)(
  "a write whose session was ended while it waited for a standby is not acknowledged before one has it (%s)",
  async (_mode, options) => {
    const server = await useServer();
    const db = await open(server.url);
    await db.batch([TABLE]);
    const waitForStandby = (name: string) =>
      asAdmin(
        server.url,
        `alter system set synchronous_standby_names = '${name}'`,
        "select pg_reload_conf()",
      );
    const WAITING = "from pg_stat_activity where wait_event = 'SyncRep'";
    const waits = async (): Promise<"waits"> => {
      while ((await sqlOnServer(server.url, `select 1 ${WAITING}`)).length === 0);
      return "waits";
    };

    await waitForStandby("missing");
    const writing = db.batch([put("a")], options);
    await waits();
    await asAdmin(server.url, `select pg_terminate_backend(pid) ${WAITING}`);
    while ((await db.query("select id from item")).length === 0);
    expect(await Promise.race([writing.then(() => "acknowledged"), waits()])).toBe("waits");
    await waitForStandby("");
    await writing;
    expect(await db.query("select count(*) as n from item")).toEqual([{ n: 1 }]);
  },
);
