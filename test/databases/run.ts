import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** `npm run test:databases`: runs the drivers on real servers, given by URLs or started from programs on this machine. */
export async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "baton-databases-"));
  const started: ChildProcess[] = [];
  try {
    const mysql = process.env["TEST_MYSQL_URL"] ?? (await startMariaDb(folder, started));
    const redis = process.env["TEST_REDIS_URL"] ?? (await startRedis(folder, started));
    const { status } = spawnSync(
      join(root, "node_modules/.bin/vitest"),
      ["run", "--config", "test/databases/vitest.config.ts", ...process.argv.slice(2)],
      { cwd: root, stdio: "inherit", env: { ...process.env, TEST_MYSQL_URL: mysql, TEST_REDIS_URL: redis } },
    );
    process.exitCode = status ?? 1;
  } finally {
    for (const child of started) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startMariaDb(folder: string, started: ChildProcess[]): Promise<string> {
  const port = await freePort();
  const data = join(folder, "mariadb");
  const install = spawnSync(
    "mariadb-install-db",
    ["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal"],
    { stdio: "ignore" },
  );
  if (install.status !== 0)
    throw new Error("No MySQL or MariaDB server. Set TEST_MYSQL_URL, or install the package mariadb-server.");
  const options = [
    "--no-defaults",
    `--datadir=${data}`,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
    `--socket=${join(folder, "mariadb.sock")}`,
    ...(process.getuid?.() === 0 ? ["--user=root"] : []),
  ];
  started.push(spawn("mariadbd", options, { stdio: "ignore" }));
  await accepting(port);
  return `mysql://root@127.0.0.1:${port}/`;
}

async function startRedis(folder: string, started: ChildProcess[]): Promise<string> {
  const port = await freePort();
  const child = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
    {
      stdio: "ignore",
    },
  );
  child.once("error", () =>
    console.error("No Redis server. Set TEST_REDIS_URL, or install the package redis-server."),
  );
  started.push(child);
  await accepting(port);
  return `redis://127.0.0.1:${port}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function accepting(port: number): Promise<void> {
  const { connect } = await import("node:net");
  const { setTimeout: sleep } = await import("node:timers/promises");
  for (let attempt = 0; attempt < 100; attempt++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(200);
  }
  throw new Error(`No server listens on port ${port}.`);
}
