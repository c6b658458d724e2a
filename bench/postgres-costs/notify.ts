import { Client } from "pg";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { cpuMs } from "../process-cost.ts";
import { processTreeOf } from "../postgres.ts";

const MESSAGES = 2000;

/**
 * `node scripts/run.mjs bench/postgres-costs/notify.ts`: what a notification costs the server with 1 to 100 listening
 * sessions, all on one channel and each on its own channel.
 */
export async function main(): Promise<void> {
  const server = await startPostgres({ settings: { max_connections: "200", synchronous_commit: "off" } });
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    return client;
  };
  const sender = await connect();
  console.log(
    "| listening sessions | channels | server CPU µs per notification | deliveries |\n|---|---|---|---|",
  );
  try {
    for (const count of [1, 10, 50, 100])
      for (const channels of ["one for all", "one each"]) {
        const listeners = await Promise.all(Array.from({ length: count }, connect));
        let received = 0;
        const channelOf = (index: number): string => (channels === "one each" ? `own_${index}` : "shared");
        for (const [index, listener] of listeners.entries()) {
          listener.on("notification", () => (received += 1));
          await listener.query(`listen ${channelOf(index)}`);
        }
        const before = cpuMs(processTreeOf(server.pid));
        for (let sent = 0; sent < MESSAGES; sent++)
          await sender.query("select pg_notify($1, $2)", [channelOf(sent % count), `message ${sent}`]);
        await Promise.all(listeners.map((listener) => listener.query("select 1")));
        const cpu = cpuMs(processTreeOf(server.pid)) - before;
        await Promise.all(listeners.map((listener) => listener.end()));
        console.log(
          `| ${count} | ${channels} | ${((cpu * 1000) / MESSAGES).toFixed(0)} | ${received / MESSAGES} |`,
        );
      }
  } finally {
    await sender.end();
    await server.close();
  }
}
