import { once } from "node:events";
import { readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { examine } from "../../server/operations/doctor/doctor.ts";
import { checkMemory, checkNode } from "../../server/operations/doctor/machine.ts";
import { checkProxyVariables, checkTls } from "../../server/operations/doctor/network.ts";
import { describeSkew } from "../../server/operations/doctor/folder.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openConnection } from "../../server/storage/sqlite/connection.ts";
import { DATABASE_FILE } from "../../server/storage/sqlite/sqlite-db.ts";
import { startMailServer } from "../support/mail-server.ts";
import { useDatabase } from "../support/postgres.ts";
import { runCommand } from "../support/run-command.ts";
import { SELF_SIGNED } from "../support/self-signed.ts";
import { createTestApp, useTemporaryFolder, useTestApp } from "../support/test-app.ts";

const MIB = 1024 * 1024;

async function useFolder(): Promise<string> {
  const folder = await useTemporaryFolder();
  return folder;
}

/** The findings by check, with PORT=0 unless given. */
async function examined(settings: Record<string, string>) {
  const findings = await examine({
    readConfig: () => readConfig({ PORT: "0", ...settings }),
    proxyVariables: [],
  });
  return Object.fromEntries(findings.map(({ check, ...finding }) => [check, finding]));
}

test("a new machine and a running instance have no problem, and nothing is left in the data folder", async () => {
  const dataDir = await useFolder();
  const fresh = await examined({ DATA_DIR: join(dataDir, "new") });
  expect(Object.values(fresh).filter(({ status }) => status === "problem")).toEqual([]);
  expect(fresh["data folder"]?.message).toContain("created at the first start");
  expect(await readdir(dataDir)).toEqual([]);

  const app = await useTestApp({}, { dataDir });
  const address = new URL(await app.listen());
  const before = await readdir(dataDir);
  const running = await examined({ DATA_DIR: dataDir, PORT: address.port });
  expect(running).toMatchObject({
    port: { status: "ok", message: expect.stringContaining("Baton is running") },
    "data folder": { message: expect.stringMatching(/is writable, a sync takes [\d.]+ ms/) },
    database: { status: "ok", message: `embedded, schema version ${migrations.at(-1)?.version}, up to date` },
    clock: { status: "ok" },
  });
  expect(await readdir(dataDir)).toEqual(before);
});

test("another encryption key than that of the database is a problem, on SQLite and PostgreSQL", async () => {
  for (const DATABASE_URL of [undefined, await useDatabase()]) {
    const dataDir = await useFolder();
    const address = DATABASE_URL === undefined ? {} : { DATABASE_URL };
    const app = await createTestApp(address, { dataDir });
    await app.stop();
    const settings = { DATA_DIR: dataDir, ...address };
    expect((await examined(settings))["database"]?.status).toBe("ok");
    const other = await examined({ ...settings, ENCRYPTION_KEY: "0123456789abcdef".repeat(4) });
    expect(other["database"]).toMatchObject({
      status: "problem",
      message: expect.stringContaining("ENCRYPTION_KEY is not the key this database was written with"),
    });
    await writeFile(join(dataDir, "encryption-key"), "cut off");
    expect((await examined(settings))["database"]).toMatchObject({
      status: "problem",
      message: expect.stringContaining("encryption-key is damaged"),
    });
    await rm(join(dataDir, "encryption-key"));
    expect((await examined(settings))["database"]?.status).toBe("problem");
    expect(await readdir(dataDir)).not.toContain("encryption-key");
  }
});

test("a port in use is reported with the process that uses it", async () => {
  const other = createServer((_request, response) => response.end("another program")).listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const findings = await examined({ DATA_DIR: await useFolder(), PORT: String(port) });
  expect(findings["port"]).toMatchObject({ status: "problem", action: expect.stringContaining("set PORT") });
  if (process.platform === "linux") expect(findings["port"]?.message).toContain(`(process ${process.pid})`);
  const elsewhere = await examined({ DATA_DIR: await useFolder(), HOST: "192.0.2.1", PORT: "4000" });
  expect(elsewhere["port"]).toMatchObject({ status: "problem", action: expect.stringContaining("HOST") });
});

test("a data folder that is a file is a problem of its checks only", async () => {
  const file = join(await useFolder(), "file");
  await writeFile(file, "");
  const findings = await examined({ DATA_DIR: join(file, "data") });
  expect(findings["data folder"]).toMatchObject({ status: "problem" });
  expect(findings["disk"]?.message).toBe(`${file} is not a folder. Set DATA_DIR to another one.`);
  expect(findings["port"]?.status).toBe("ok");
});

test("the schema of the embedded database is compared with this version", async () => {
  const dataDir = await useFolder();
  const newest = migrations.at(-1)?.version ?? 0;
  const connection = openConnection(join(dataDir, DATABASE_FILE));
  connection.exec(
    "create table schema_migration (version integer); create table key_check (id integer, sealed text)",
  );
  for (const [version, status] of [
    [newest - 1, "warn"],
    [newest, "ok"],
    [newest + 1, "problem"],
  ] as const) {
    connection.exec(`insert into schema_migration values (${version})`);
    expect([version, (await examined({ DATA_DIR: dataDir }))["database"]?.status]).toEqual([version, status]);
  }
  connection.close();
});

test("PostgreSQL is asked for its schema and its clock, and no password is printed", async () => {
  const DATA_DIR = await useFolder();
  const up = await examined({ DATA_DIR, DATABASE_URL: await useDatabase() });
  expect(up).toMatchObject({
    database: { status: "ok", message: expect.stringContaining("empty") },
    clock: { status: "ok", message: expect.stringContaining("of the database server") },
  });
  const DATABASE_URL = "postgres://ada:correct-horse@127.0.0.1:1/baton";
  const down = await examined({ DATA_DIR, DATABASE_URL });
  expect(down["database"]).toMatchObject({
    status: "problem",
    message: expect.stringContaining("127.0.0.1:1"),
  });
  expect(JSON.stringify(down)).not.toContain("correct-horse");
});

test("the mail server is asked to log in, and its reply shows no password", async () => {
  const mail = await startMailServer({ user: "ada", password: "correct-horse" });
  onTestFinished(() => mail.close());
  const settings = { DATA_DIR: await useFolder(), SMTP_FROM: "baton@example.com" };
  const login = (password: string) => mail.url.replace("//", `//ada:${password}@`);
  const right = await examined({ ...settings, SMTP_URL: login("correct-horse") });
  expect(right["mail"]).toMatchObject({ status: "ok" });
  const wrong = await examined({ ...settings, SMTP_URL: login("battery-staple") });
  expect(wrong["mail"]).toMatchObject({ status: "problem", message: expect.stringContaining("***") });
  expect(JSON.stringify(wrong)).not.toContain("battery-staple");
  expect(mail.received).toEqual([]);
});

test("the certificate of PUBLIC_URL is checked, and plain http outside of this machine is warned about", async () => {
  const server = createTlsServer({ key: SELF_SIGNED.key, cert: SELF_SIGNED.certificate }).listen(
    0,
    "localhost",
  );
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const settings = { host: "127.0.0.1", publicUrl: `https://localhost:${port}` };
  expect(await checkTls(settings, Date.now())).toMatchObject({
    status: "problem",
    message: expect.stringContaining("self-signed"),
  });
  expect(await checkTls(settings, Date.now(), SELF_SIGNED.certificate)).toMatchObject({ status: "ok" });
  const late = Date.parse("2126-10-20");
  expect(await checkTls(settings, late, SELF_SIGNED.certificate)).toMatchObject({ status: "warn" });
  const plain = await examined({ DATA_DIR: await useFolder(), PUBLIC_URL: "http://baton.example.com" });
  expect(plain["tls"]).toMatchObject({ status: "warn", message: expect.stringContaining("unencrypted") });
  const behind = await examined({ DATA_DIR: await useFolder(), PUBLIC_URL: settings.publicUrl });
  expect(behind["proxy in front"]).toMatchObject({
    status: "warn",
    action: expect.stringContaining("TRUST_PROXY"),
  });
});

test("old Node, little memory, proxy variables and a wrong clock are named", () => {
  expect(checkNode("20.18.3")).toMatchObject({ status: "problem", action: "Install Node 20.19 or newer." });
  expect(checkNode("22.1.0").status).toBe("ok");
  const memory = { total: 8192 * MIB, free: 4096 * MIB, limit: 128 * MIB, heap: 64 * MIB };
  expect(checkMemory(memory).status).toBe("problem");
  expect(checkMemory({ ...memory, limit: 512 * MIB }).status).toBe("warn");
  expect(checkMemory({ ...memory, limit: 2048 * MIB, heap: 4096 * MIB }).action).toContain(
    "--max-old-space-size=1536",
  );
  expect(checkMemory({ ...memory, limit: undefined }).status).toBe("ok");
  expect(checkProxyVariables(["HTTPS_PROXY"])).toMatchObject({ status: "warn" });
  expect(describeSkew(90_000, "the database server", 0)).toMatchObject({
    status: "warn",
    message: "1970-01-01T00:00:00.000Z is 90 s behind the database server.",
  });
});

test("the command prints JSON, and fails with 1 if something is wrong", async () => {
  const DATA_DIR = await useFolder();
  const good = await runCommand("doctor", ["--json"], {
    DATA_DIR,
    PORT: "0",
    HTTPS_PROXY: "http://u:secret-word@proxy",
  });
  expect(good.code).toBe(0);
  expect(good.output).not.toContain("secret-word");
  const { findings } = JSON.parse(good.output);
  expect(findings).toContainEqual({ check: "settings", status: "ok", message: "valid" });
  expect(findings).toContainEqual(expect.objectContaining({ check: "outgoing proxy", status: "warn" }));
  const bad = await runCommand("doctor", [], { DATA_DIR, PORT: "none" });
  expect(bad.code).toBe(1);
  expect(bad.output).toMatch(/^problem +settings +Invalid settings:/m);
  expect(bad.output).toContain("→ Correct them");
});
