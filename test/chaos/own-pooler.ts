import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort, unprivilegedUser } from "../support/postgres-server.ts";

export interface PoolerSettings {
  /** Path of the PgBouncer program. */
  program: string;
  mode: string;
  /** Connections to the server. */
  size: string;
  /** Whether LISTEN bypasses it. */
  direct: boolean;
}

export interface OwnPooler {
  /** Address of the database through the pooler. */
  url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** PgBouncer in front of a server, which may be killed. */
export async function startOwnPooler(
  target: string,
  { program, mode, size }: PoolerSettings,
): Promise<OwnPooler> {
  const folder = mkdtempSync(join(tmpdir(), "baton-chaos-pooler-"));
  chmodSync(folder, 0o755);
  const { hostname, port: serverPort, username, password } = new URL(target);
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  const users = join(folder, "users");
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = ${size}
max_client_conn = 500
server_login_retry = 1
`,
  );
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    // Like PostgreSQL, it does not run as root.
    child = spawn(program, ["-q", file], { cwd: folder, stdio: "ignore", ...unprivilegedUser() });
    await once(child, "spawn");
    while (!(await listens(port))) {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}.`);
      await pause(20);
    }
  }

  async function kill(): Promise<void> {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "close");
    child.kill("SIGKILL");
    await gone;
  }

  await start();
  return {
    url: Object.assign(new URL(target), { port: String(port) }).href,
    kill,
    start,
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
