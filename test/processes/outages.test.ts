import { expect, onTestFinished, test } from "vitest";
import { http, reach, save, serve, start } from "../../server/engine/testing/workbench.ts";
import { sqlOnServer } from "../support/postgres.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { registerUser } from "../support/test-app.ts";
import { useProcessGroup } from "./several.ts";

const LEASE_MS = 1000;

test("[R27] an http step that ends while the database is unreachable for longer than the lease is sent once", async () => {
  const several = await useProcessGroup({ LEASE_MS: String(LEASE_MS) });
  const line = await startTcpProxy(several.databaseUrl);
  onTestFinished(() => line.close());
  const app = await several.join("all", { DATABASE_URL: line.url });
  const ada = await registerUser(app);
  let answer = (): void => undefined;
  const other = await serve((_request, response) => {
    answer = () => void response.end("{}");
  });
  const workflowId = await save(ada, [http("slow", other.url), http("next", `${other.url}/next`)]);
  const taskId = await start(ada, workflowId);
  await expect.poll(() => other.calls).toHaveLength(1);
  line.pause();
  const silentForMs = async (): Promise<number> => {
    const rows = await sqlOnServer(
      several.databaseUrl,
      `select extract(epoch from clock_timestamp()) * 1000 - max(heartbeat_at) as ms from worker`,
    );
    return Number(rows[0]!["ms"]);
  };
  await expect.poll(silentForMs).toBeGreaterThan(LEASE_MS);
  answer();
  await expect.poll(silentForMs).toBeGreaterThan(2 * LEASE_MS);
  line.restore();
  await expect.poll(() => other.calls).toHaveLength(2);
  answer();
  await reach(ada, taskId, "completed");
  expect(other.calls).toEqual(["/", "/next"]);
});
