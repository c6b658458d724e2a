import { once } from "node:events";
import { stat } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { openConnection } from "../server/storage/sqlite/connection.ts";
import { DATABASE_FILE } from "../server/storage/sqlite/sqlite-db.ts";
import { startService } from "./support/service-process.ts";
import { createTestApp, registerUser, useTemporaryFolder } from "./support/test-app.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await useTemporaryFolder();
});

const json = (body: unknown, headers: Record<string, string> = {}) => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "the service prints its URLs, serves requests and exits with 0 on %s",
  async (signal) => {
    const service = startService({ DATA_DIR: dataDir });
    const address = await service.ready();
    expect(service.output()).toContain(`${address}/\n`);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await (await fetch(`${address}/ready`)).json()).toEqual({ ok: true });
    expect(await service.stop(signal)).toBe(0);
    expect(service.output()).not.toMatch(/warning|deprecat|experimental/i);
  },
);

test("a service started by npm stops when npm's shell receives the signal", async () => {
  const byNpm = { DATA_DIR: dataDir, npm_lifecycle_event: "start" };
  const service = startService(byNpm, ["sh", "-c", `"${process.execPath}" bin/baton.mjs start; true`]);
  await service.ready();
  // The shell is gone at once; what it printed to is closed when the service is.
  await service.stop("SIGTERM");
  expect(service.output()).toContain("SIGTERM: finishing");
  const next = startService({ DATA_DIR: dataDir });
  await next.ready();
});

test("generated key files are readable only by their owner", async () => {
  const service = startService({ DATA_DIR: join(dataDir, "new") });
  await service.ready();
  for (const name of ["jwt-secret", "encryption-key"]) {
    expect((await stat(join(dataDir, "new", name))).mode & 0o777).toBe(0o600);
  }
  expect((await stat(join(dataDir, "new"))).mode & 0o777).toBe(0o700);
});

test("a second process on one data folder exits with a message that says what to do", async () => {
  const first = startService({ DATA_DIR: dataDir });
  const address = await first.ready();
  const second = startService({ DATA_DIR: dataDir });
  expect(await second.exit()).toBe(1);
  expect(second.output()).toContain(`process ${first.child.pid}`);
  expect(second.output()).toContain("DATA_DIR");
  expect(second.output()).not.toMatch(/^\s+at /m);
  expect((await fetch(`${address}/ready`)).status).toBe(200);
});

test("after a kill -9 the data folder is usable again and no acknowledged write is lost", async () => {
  const first = startService({ DATA_DIR: dataDir });
  const account = { email: "ada@example.com", password: "long enough" };
  expect((await fetch(`${await first.ready()}/api/auth/register`, json(account))).status).toBe(201);
  await first.stop("SIGKILL");
  const second = startService({ DATA_DIR: dataDir });
  expect((await fetch(`${await second.ready()}/api/auth/login`, json(account))).status).toBe(200);
});

test("all invalid settings are listed at once, and nothing starts", async () => {
  const service = startService({
    DATA_DIR: join(dataDir, "never"),
    PORT: "70000",
    LOG_LEVEL: "loud",
    JWT_SECRET: "short",
    ENCRYPTION_KEY: "abc",
    ALLOW_REGISTRATION: "perhaps",
    LLM_PROVIDER: "oracle",
  });
  expect(await service.exit()).toBe(1);
  for (const name of [
    "PORT",
    "LOG_LEVEL",
    "JWT_SECRET",
    "ENCRYPTION_KEY",
    "ALLOW_REGISTRATION",
    "LLM_PROVIDER",
  ])
    expect(service.output()).toContain(`${name}: `);
  expect(service.output()).not.toMatch(/^\s+at /m);
  await expect(stat(join(dataDir, "never"))).rejects.toThrow("ENOENT");
});

test("an unreachable database server fails the start with its address, and no embedded database is created", async () => {
  const service = startService({
    DATA_DIR: join(dataDir, "never"),
    DATABASE_URL: "postgres://ada:secret-word@127.0.0.1:1/baton",
  });
  expect(await service.exit()).toBe(1);
  expect(service.output()).toContain("127.0.0.1:1 (DATABASE_URL)");
  expect(service.output()).not.toContain("secret-word");
  await expect(stat(join(dataDir, "never", DATABASE_FILE))).rejects.toThrow("ENOENT");
});

test("a port in use fails the start with a readable message", async () => {
  const occupant = createServer().listen(0, "127.0.0.1");
  await once(occupant, "listening");
  const { port } = occupant.address() as AddressInfo;
  const service = startService({ DATA_DIR: dataDir, PORT: String(port) });
  expect(await service.exit()).toBe(1);
  expect(service.output()).toContain(`${port}`);
  expect(service.output()).toContain("PORT");
  expect(service.output()).not.toMatch(/^\s+at /m);
  occupant.close();
});

test("a start that fails claims no task", async () => {
  const app = await createTestApp({}, { dataDir });
  const user = await registerUser(app);
  const steps = [{ stepId: "later", type: "delay", seconds: 3600 }];
  const { body: created } = await user.post("/api/workflows", {
    name: "Later",
    metadata: { steps, edges: [] },
  });
  const { body: task } = await user.post(`/api/workflows/${created.workflow.id}/run`, {});
  await expect
    .poll(async () => (await user.get(`/api/tasks/${task.taskId}`)).body.task)
    .toMatchObject({ status: "waiting" });
  await app.close();
  const database = openConnection(join(dataDir, DATABASE_FILE));
  database.exec("update task set run_at = 1");
  const [before] = database.prepare("select status, epoch, run_at from task").all();
  const occupant = createServer().listen(0, "127.0.0.1");
  await once(occupant, "listening");
  const { port } = occupant.address() as AddressInfo;
  const service = startService({ DATA_DIR: dataDir, PORT: String(port) });
  expect(await service.exit()).toBe(1);
  expect(database.prepare("select status, epoch, run_at from task").all()).toEqual([before]);
  database.close();
  occupant.close();
});

test("the log has one line per request with its x-request-id and without secrets", async () => {
  const service = startService({ DATA_DIR: dataDir });
  const address = await service.ready();
  const registered = await fetch(
    `${address}/api/auth/register?secret=query-secret`,
    json({ email: "ada@example.com", password: "body-secret" }, { "x-webhook-secret": "header-secret" }),
  );
  const { token } = (await registered.json()) as { token: string };
  await fetch(`${address}/nowhere?token=query-secret`, { headers: { authorization: `Bearer ${token}` } });
  const database = openConnection(join(dataDir, DATABASE_FILE));
  database.exec("drop table template");
  database.close();
  const broken = await fetch(`${address}/api/templates`, { headers: { authorization: `Bearer ${token}` } });
  expect(broken.status).toBe(500);
  await service.stop();

  const byId = (id: string | null) => service.log().filter((line) => line["requestId"] === id);
  expect(byId(registered.headers.get("x-request-id"))).toMatchObject([
    {
      msg: "request",
      method: "POST",
      url: "/api/auth/register?secret=•••",
      status: 201,
      ms: expect.any(Number),
    },
  ]);
  expect(byId(broken.headers.get("x-request-id"))).toMatchObject([
    { msg: "request failed", err: { message: expect.stringContaining("no such table") } },
    { msg: "request", status: 500 },
  ]);
  for (const secret of ["query-secret", "body-secret", "header-secret", token])
    expect(service.output()).not.toContain(secret);
});
