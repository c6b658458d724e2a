import { readdir, rm, utimes } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openConnection } from "../server/storage/sqlite/connection.ts";
import { startService } from "./support/service-process.ts";
import { temporaryFolder } from "./support/test-app.ts";

test("a download that a kill interrupts leaves no file behind, and the step downloads again", async () => {
  const dataDir = await temporaryFolder();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.setHeader("content-type", "text/csv");
    // The first answer never ends.
    if (requests === 1) response.write("id\n1\n");
    else response.end("id\n1\n2\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const settings = { DATA_DIR: dataDir, ALLOW_PRIVATE_NETWORK: "true", ALLOW_REGISTRATION: "true" };
  const incoming = join(dataDir, "run-files", "incoming");
  const listed = () => readdir(incoming).catch(() => []);

  const first = startService(settings);
  let address = await first.ready();
  const call = async (path: string, body?: object) => {
    const response = await fetch(address + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line no-explicit-any
    return (await response.json()) as any;
  };
  let token = "";
  ({ token } = await call("/api/auth/register", { email: "a@example.com", password: "four words of text" }));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders.csv`;
  const steps = [{ stepId: "get", type: "http", url, responseAs: "file" }];
  const { workflow } = await call("/api/workflows", { name: "Crash", metadata: { steps, edges: [] } });
  const { taskId } = await call(`/api/workflows/${workflow.id}/run`, {});
  await expect.poll(listed, { timeout: 10_000 }).toHaveLength(1);
  await first.stop("SIGKILL");

  const [left] = await listed();
  await utimes(join(incoming, left!), 0, 0);
  const second = startService(settings);
  address = await second.ready();
  await expect
    .poll(async () => (await call(`/api/tasks/${taskId}`)).task.status, { timeout: 20_000 })
    .toBe("completed");
  const { output } = (await call(`/api/tasks/${taskId}`)).task.stepResults[0];
  expect(output).toMatchObject({ name: "orders.csv", size: 7 });
  await expect.poll(listed).toEqual([]);
  expect(await second.stop()).toBe(0);

  const database = openConnection(join(dataDir, "baton.sqlite"));
  expect(database.prepare("select id, unlinked_at from run_file").all()).toEqual([
    { id: output.file, unlinked_at: null },
  ]);
  database.close();
  const owner = (await readdir(join(dataDir, "run-files"))).find((name) => name.startsWith("user_"));
  expect(await readdir(join(dataDir, "run-files", owner ?? ""))).toEqual([output.file]);
});
