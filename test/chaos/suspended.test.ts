import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { acquireDatabase, releaseDatabase } from "../support/postgres.ts";
import { ensureBuilt } from "../support/service-process.ts";
import { enter, temporaryData, useChild } from "./service.ts";

beforeAll(ensureBuilt);

/** The first request to `/asks` waits to be redirected to `/effect`, which records the key of each request. */
async function useRedirectingServer() {
  let first: ServerResponse | undefined;
  let asked = 0;
  const effects: string[] = [];
  const redirect = (response: ServerResponse): Promise<void> =>
    new Promise((resolve) => response.writeHead(307, { location: "/effect" }).end(resolve));
  const server = createServer((request, response) => {
    if (request.url === "/asks") {
      asked += 1;
      if (first === undefined) first = response;
      else void redirect(response);
      return;
    }
    effects.push(String(request.headers["idempotency-key"]));
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/asks`,
    asked: () => asked,
    effects,
    redirectFirst: () => redirect(first!),
  };
}

test("[R4] a process that was suspended in the middle of a step sends nothing after its task was taken over", async () => {
  const databaseUrl = await acquireDatabase();
  onTestFinished(() => releaseDatabase(databaseUrl));
  const other = await useRedirectingServer();
  const join = () =>
    useChild({
      DATABASE_URL: databaseUrl,
      DATA_DIR: temporaryData(),
      JWT_SECRET: "the same for every process that shares a database",
      ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
      LEASE_MS: "3000",
    });
  const first = await join();
  let { address } = first;
  const ada = await enter(() => address);
  const workflowId = await ada.workflow([{ stepId: "call", type: "http", method: "POST", url: other.url }]);
  const { body } = await ada.post(`/api/workflows/${workflowId}/run`);
  await expect.poll(other.asked).toBe(1);
  process.kill(first.pid, "SIGSTOP");
  ({ address } = await join());
  const status = async () => (await ada.get(`/api/tasks/${body["taskId"]}`))["task"].status as string;
  await expect.poll(status, { timeout: 60_000 }).toBe("completed");
  // On a busy machine the second process may miss its own lease and begin again.
  const before = other.effects.length;
  expect(before).toBeGreaterThan(0);

  // The response is in its socket when it continues: reading it is the first thing that it does.
  await other.redirectFirst();
  process.kill(first.pid, "SIGCONT");
  await expect.poll(async () => (await fetch(`${first.address}/ready`)).status).toBe(200);
  expect(await first.end("SIGTERM")).toBe(0);
  expect(other.effects).toHaveLength(before);
}, 180_000);
