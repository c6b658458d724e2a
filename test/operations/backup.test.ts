import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { openConnection } from "../../server/storage/sqlite/connection.ts";
import { DATABASE_FILE } from "../../server/storage/sqlite/sqlite-db.ts";
import { clientOf } from "../support/client.ts";
import { sendJson, startVendor } from "../support/vendor.ts";
import { runCommand } from "../support/run-command.ts";
import { startService } from "../support/service-process.ts";
import { createTestApp, registerUser, useTemporaryFolder } from "../support/test-app.ts";

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await useTemporaryFolder();
  dataDir = join(folder, "data");
});

const LARGE = "large ".repeat(60_000);

const loadWorkflow = (settings: object) => ({
  name: "Load",
  metadata: {
    steps: [
      { stepId: "write", type: "file", action: "write", path: "{{input.n}}.txt", content: "{{input.text}}" },
      { stepId: "large", type: "transform", template: "{{input.text}}" },
    ],
    edges: [],
  },
  apiSettings: { enabled: true, endpointName: "load", authentication: false, ...settings },
});

/** The data folder of a stopped service with one finished task. Returns the id of the task. */
async function fillDataFolder(settings: Record<string, string> = {}): Promise<string> {
  const app = await createTestApp(settings, { dataDir });
  const ada = await registerUser(app, "ada");
  await ada.post("/api/workflows", loadWorkflow({ sync: true }));
  const call = { input: { n: 1, text: LARGE } };
  const { body } = await app.anonymous.post("/api/workflows/public/load", call);
  await app.stop();
  return body.taskId as string;
}

/** A service with a workflow that writes a file and has a large output, ready to be called. */
async function startLoaded() {
  const service = startService({ DATA_DIR: dataDir, LOG_LEVEL: "warn" });
  const address = await service.ready();
  const send = async (path: string, body: unknown, token = "") => {
    const response = await fetch(address + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as any };
  };
  const account = { email: "ada@example.com", password: "long enough" };
  const { token } = (await send("/api/auth/register", account)).body;
  await send("/api/workflows", loadWorkflow({ sync: false }), token);
  const call = (n: number, text = String(n)) =>
    send("/api/workflows/public/load", { input: { n, text } }).then(({ body }) => body.taskId as string);
  return { service, address, token, call, account, send };
}

function inDatabase<T>(dataFolder: string, read: (all: (sql: string) => Record<string, unknown>[]) => T): T {
  const database = openConnection(join(dataFolder, DATABASE_FILE));
  try {
    return read((sql) => database.prepare(sql).all());
  } finally {
    database.close();
  }
}

test("[R24] a backup taken under load restores every task accepted before it started", async () => {
  const { service, call, account, address } = await startLoaded();
  const before: string[] = [await call(0, LARGE)];
  let loading = true;
  let backingUp = false;
  const load = Promise.all(
    Array.from({ length: 4 }, async (_, worker) => {
      for (let n = 1; loading; n++) {
        const id = await call(worker * 10_000 + n);
        if (!backingUp) before.push(id);
      }
    }),
  );
  await expect.poll(() => before.length, { timeout: 60_000 }).toBeGreaterThan(200);
  backingUp = true;
  const backup = join(folder, "backup");
  const made = await runCommand("backup", [backup], { DATA_DIR: dataDir });
  expect(made).toMatchObject({ code: 0 });
  // The backup does not affect the running service.
  expect((await fetch(`${address}/ready`)).status).toBe(200);
  loading = false;
  await load;
  await service.stop();

  const restored = join(folder, "restored");
  const result = await runCommand("restore", [backup, "--data-dir", restored]);
  expect(result).toMatchObject({ code: 0 });
  inDatabase(restored, (all) => {
    expect(all("pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
    expect(all("pragma foreign_key_check")).toEqual([]);
    const restoredIds = new Set(all("select id from task").map((row) => row["id"]));
    expect(before.filter((id) => !restoredIds.has(id))).toEqual([]);
    expect(
      all(`select j.task_id from journal as j left join task as t on t.id = j.task_id where t.id is null`),
    ).toEqual([]);
  });

  // The restored instance accepts the same login, uses the same keys and completes unfinished tasks.
  const again = startService({ DATA_DIR: restored });
  const restarted = await again.ready();
  const login = await fetch(`${restarted}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  const { token } = (await login.json()) as { token: string };
  const task = await fetch(`${restarted}/api/tasks/${before[0]}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { task: found } = (await task.json()) as { task: { status: string; result: any } };
  expect([found.status, found.result.outputs.large === LARGE]).toEqual(["completed", true]);
  await expect
    .poll(
      () => inDatabase(restored, (all) => all("select count(*) as n from task where status <> 'completed'")),
      {
        timeout: 60_000,
      },
    )
    .toEqual([{ n: 0 }]);
  expect(await again.stop()).toBe(0);
});

test("a backup is readable only by its owner, contains keys and files, and excludes incomplete files", async () => {
  const taskId = await fillDataFolder();
  for (const path of ["documents/incoming", "files/.unfinished", "run-files/incoming"]) {
    await mkdir(join(dataDir, path), { recursive: true });
    await writeFile(join(dataDir, path, "half"), "half");
  }
  await mkdir(join(dataDir, "run-files", "user_1"), { recursive: true });
  await writeFile(join(dataDir, "run-files", "user_1", "file_1"), "between steps");
  const backup = join(folder, "backups", "first");
  expect(await runCommand("backup", [backup], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });

  const paths = (await readdir(backup, { recursive: true })).map((path) => path.replaceAll("\\", "/"));
  expect(paths).toEqual(
    expect.arrayContaining(["manifest.json", DATABASE_FILE, "jwt-secret", "encryption-key"]),
  );
  expect(paths.some((path) => path.startsWith(`blobs/${taskId}/`))).toBe(true);
  expect(paths.some((path) => /^files\/\w+\/1\.txt$/.test(path))).toBe(true);
  expect(paths).toContain("run-files/user_1/file_1");
  expect(paths.filter((path) => path.includes("half") || path.includes("lock"))).toEqual([]);
  for (const path of ["", ...paths]) {
    const { mode } = await stat(join(backup, path));
    expect([path, mode & 0o077]).toEqual([path, 0]);
  }
  const manifest = JSON.parse(await readFile(join(backup, "manifest.json"), "utf8"));
  expect(manifest.rows).toMatchObject({ task: 1, account: 1, workflow: 1 });
  expect(Object.keys(manifest.rows).filter((name) => name.startsWith("document_word"))).toEqual([]);
});

test("keys from the settings are not in the backup, and both commands say so", async () => {
  const settings = {
    JWT_SECRET: "a secret of forty different characters ..",
    ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
  };
  await fillDataFolder(settings);
  const backup = join(folder, "backup");
  const made = await runCommand("backup", [backup], { DATA_DIR: dataDir, ...settings });
  expect(made.output).toMatch(/ENCRYPTION_KEY or JWT_SECRET .* NOT part of the backup/);
  expect(await readdir(backup)).not.toContain("encryption-key");
  const result = await runCommand("restore", [backup, "--data-dir", join(folder, "restored")]);
  expect(result.output).toContain("set ENCRYPTION_KEY to its previous value");
});

test("a restored instance sends the credentials of its connections, and the backup shows none", async () => {
  const vendor = await startVendor((_request, response) => sendJson(response, 200, {}));
  const app = await createTestApp({}, { dataDir });
  const ada = await registerUser(app, "ada");
  const given = {
    name: "Vendor",
    kind: "bearer",
    hosts: [vendor.host],
    settings: { testUrl: vendor.url },
    secrets: { token: "hush-hush-token" },
  };
  const { id } = (await ada.post("/api/connections", given)).body.connection;
  await app.stop();
  const backup = join(folder, "backup");
  expect(await runCommand("backup", [backup], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  expect((await readFile(join(backup, DATABASE_FILE))).includes("hush-hush-token")).toBe(false);
  const restored = join(folder, "restored");
  expect(await runCommand("restore", [backup, "--data-dir", restored])).toMatchObject({ code: 0 });
  const again = await createTestApp({}, { dataDir: restored });
  const tested = await clientOf(again.http, ada.token).post(`/api/connections/${id}/test`, {});
  await again.stop();
  expect(tested.body).toMatchObject({ status: "connected" });
  expect(vendor.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer hush-hush-token"]);
});

test("a damaged backup is refused with the file named, and nothing is restored", async () => {
  const taskId = await fillDataFolder();
  const backup = join(folder, "backup");
  await runCommand("backup", [backup], { DATA_DIR: dataDir });
  const restored = join(folder, "restored");
  const attempt = () => runCommand("restore", [backup, "--data-dir", restored]);

  const blobs = join(backup, "blobs", taskId);
  const [name = ""] = await readdir(blobs);
  const blob = join(blobs, name);
  const whole = await readFile(blob, "utf8");
  await writeFile(blob, `${whole.slice(0, -1)}?`);
  expect(await attempt()).toMatchObject({ code: 1, output: expect.stringContaining(`blobs/${taskId}/`) });
  await rm(blob);
  expect(await attempt()).toMatchObject({ code: 1, output: expect.stringContaining(`blobs/${taskId}/`) });
  await writeFile(blob, whole);
  await appendFile(join(backup, DATABASE_FILE), "x");
  expect(await attempt()).toMatchObject({ code: 1, output: expect.stringContaining(DATABASE_FILE) });
  await expect(readdir(restored)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a missing, newer or tampered manifest is refused with a readable error", async () => {
  await fillDataFolder();
  const backup = join(folder, "backup");
  await runCommand("backup", [backup], { DATA_DIR: dataDir });
  const path = join(backup, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  const attempt = async (change: object) => {
    await writeFile(path, JSON.stringify({ ...manifest, ...change }));
    return (await runCommand("restore", [backup, "--data-dir", join(folder, "restored")])).output;
  };
  expect(await attempt({ schemaVersion: 99 })).toMatch(/schema version 99; this version supports up to \d+/);
  for (const wrong of ["../outside", "/etc/cron.d/x", "a/../../x", "a\\..\\x", ""])
    expect(await attempt({ files: [{ ...manifest.files[0], path: wrong }] })).toContain(
      "points outside the folder",
    );
  await writeFile(path, "{");
  expect((await runCommand("restore", [backup])).output).toMatch(/manifest\.json .*damaged/);
  await rm(path);
  expect((await runCommand("restore", [backup])).output).toMatch(/not a backup, or it is incomplete/);
});

test("a restore never overwrites a running or a stopped instance", async () => {
  const { service } = await startLoaded();
  const backup = join(folder, "backup");
  await runCommand("backup", [backup], { DATA_DIR: dataDir });
  const attempt = () => runCommand("restore", [backup, "--data-dir", dataDir]);
  expect(await attempt()).toMatchObject({
    code: 1,
    output: expect.stringContaining(`process ${service.child.pid}`),
  });
  await service.stop();
  expect(await attempt()).toMatchObject({ code: 1, output: expect.stringContaining("is not empty") });
  // A backup does not overwrite a folder either.
  const second = await runCommand("backup", [backup], { DATA_DIR: dataDir });
  expect(second).toMatchObject({ code: 1, output: expect.stringContaining("is not empty") });
  const inside = await runCommand("backup", [join(dataDir, "backup")], { DATA_DIR: dataDir });
  expect(inside).toMatchObject({
    code: 1,
    output: expect.stringContaining("cannot be inside the data folder"),
  });
});

test("a command called with wrong arguments prints its usage", async () => {
  for (const [name, ...args] of [
    ["backup"],
    ["backup", "--bogus"],
    ["restore"],
    ["restore", "--bogus"],
    ["move", "--to", "mysql://x"],
  ] as const) {
    const { code, output } = await runCommand(name, args, { DATA_DIR: dataDir });
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^baton: (Usage: npm run|Unknown option '--bogus')/),
    ]);
    expect(output).not.toMatch(/^\s+at /m);
  }
});

test("refused folders and damaged databases are explained without a stack", async () => {
  await mkdir(dataDir);
  const file = join(folder, "file");
  await writeFile(file, "");
  const failed = async (name: string, args: string[], settings = {}) => {
    const { code, output } = await runCommand(name, args, { DATA_DIR: dataDir, ...settings });
    expect(code).toBe(1);
    return output.split("\n").filter((line) => line !== "" && !line.endsWith("…"));
  };
  await writeFile(join(dataDir, DATABASE_FILE), "");
  expect(await failed("backup", [join(folder, "a")])).toEqual([
    expect.stringMatching(
      /^baton: The database file is empty or has none of Baton's tables\. Check DATA_DIR/,
    ),
  ]);
  await writeFile(join(dataDir, DATABASE_FILE), "no database ".repeat(1000));
  expect(await failed("backup", [join(folder, "b")])).toEqual([
    expect.stringMatching(/^baton: The database is not a database file\. Check DATA_DIR/),
  ]);
  expect(await failed("restore", [file])).toEqual([
    expect.stringMatching(/^baton: .*manifest\.json has a file where a folder is expected\. .*\(ENOTDIR\)$/),
  ]);
  expect(await failed("move", ["--to", "postgres://ada:hunter22@127.0.0.1:1/x"])).toEqual([
    expect.stringMatching(
      /^baton: Cannot reach a PostgreSQL server at 127\.0\.0\.1:1 \(--to\): .* Check that/,
    ),
  ]);
});

test("the service does not start on a locked-out folder", async () => {
  await mkdir(dataDir);
  await writeFile(join(dataDir, "NOT-IN-USE.txt"), "A restore into this folder is incomplete.\n");
  const service = startService({ DATA_DIR: dataDir });
  expect(await service.exit()).toBe(1);
  expect(service.output()).toMatch(
    /is incomplete\. \(To use the folder anyway, delete .*NOT-IN-USE\.txt\.\)/,
  );
  expect(await readdir(dataDir)).toEqual(["NOT-IN-USE.txt"]);
});
