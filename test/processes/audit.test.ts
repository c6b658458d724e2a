import { expect, onTestFinished, test } from "vitest";
import type { AuditEvent } from "../../contract/audit.ts";
import { acquireDatabase, releaseDatabase } from "../support/postgres.ts";
import { startService } from "../support/service-process.ts";
import { useTemporaryFolder } from "../support/test-app.ts";

test("two processes that change one workspace at once leave one unbroken chain with every change", async () => {
  const databaseUrl = await acquireDatabase();
  onTestFinished(() => releaseDatabase(databaseUrl));
  const dataDir = await useTemporaryFolder();
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    JWT_SECRET: "the same for every process that shares a database",
    ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
    ALLOW_REGISTRATION: "true",
    LOG_LEVEL: "warn",
  };
  const addresses = [await startService(settings).ready(), await startService(settings).ready()] as const;
  let token = "";
  const call = async (process: number, method: string, path: string, body?: object) => {
    const response = await fetch(addresses[process % 2] + path, {
      method,
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([path, response.ok]).toEqual([path, true]);
    return response.text();
  };
  const account = { email: "a@example.com", password: "four words of text" };
  ({ token } = JSON.parse(await call(0, "POST", "/api/auth/register", account)) as { token: string });

  const names = Array.from({ length: 12 }, (_, writer) =>
    Array.from({ length: 8 }, (__, number) => `w${writer}_${number}`),
  );
  await Promise.all(
    names.map(async (own, writer) => {
      for (const name of own) await call(writer, "PUT", `/api/variables/${name}`, { value: name });
    }),
  );

  const events = (await call(0, "GET", "/api/audit-events/export?action=putVariable"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as AuditEvent);
  const stagesOf = (name: string) =>
    events.filter(({ target }) => target.id === name).map(({ stage }) => stage);
  for (const name of names.flat()) expect([name, stagesOf(name)]).toEqual([name, ["attempt", "result"]]);
  // The processes took turns: their events are mixed.
  const sequences = (name: string) => events.find(({ target }) => target.id === name)!.sequence;
  expect(sequences("w1_0")).toBeLessThan(sequences("w0_7"));
  expect(sequences("w0_0")).toBeLessThan(sequences("w1_7"));
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  for (const process of [0, 1]) {
    const { verification } = JSON.parse(await call(process, "GET", "/api/audit-events/verification"));
    expect(verification).toMatchObject({ valid: true, events: 2 * 96 + 1, problem: null });
  }
});
