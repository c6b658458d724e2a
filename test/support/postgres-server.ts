import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { postgresBinaries } from "./postgres-binaries.ts";

const run = promisify(execFile);

const SUPERUSER = "baton";
const PASSWORD = "baton";

export interface PostgresServer {
  /** URL of the maintenance database, as superuser. */
  url: string;
  /** Process id of the postmaster. */
  readonly pid: number;
  /** Contains the data and the log. */
  folder: string;
  /** `fast` disconnects clients cleanly, `immediate` simulates a crash. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes its folder. */
  close(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Removed by `close`. */
  folder?: string;
  /** Enables fsync, which only durability tests need. */
  durable?: boolean;
  /** Additional lines of postgresql.conf. */
  settings?: Record<string, string>;
}

/** Starts a separate PostgreSQL server on a free port. */
export async function startPostgres({
  folder = temporaryServerFolder(),
  durable = false,
  settings = {},
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const user = unprivilegedUser();
  mkdirSync(folder, { recursive: true });
  const bin = readableBinaries(folder, postgresBinaries(), user);
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const [data, passwordFile] = [join(folder, "data"), join(folder, "password")];
  writeFileSync(passwordFile, PASSWORD);
  const call = (program: string, args: string[]): Promise<unknown> =>
    run(join(bin, program), args, { cwd: folder, ...user }).catch((error: Error & { stderr?: string }) => {
      throw new Error(`${program} of ${bin} failed: ${error.stderr ?? error.message}${logOf(folder)}`, {
        cause: error,
      });
    });

  const login = ["-U", SUPERUSER, "--pwfile", passwordFile, "--auth=scram-sha-256"];
  await call("initdb", ["-D", data, ...login, "--encoding=UTF8", "--locale=C", "--no-sync"]);
  const port = await freePort();
  const configured: Record<string, string> = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "32MB",
    ...(durable ? {} : { fsync: "off", full_page_writes: "off" }),
    ...settings,
  };
  const lines = Object.entries(configured).map(([name, value]) => `${name} = '${value}'`);
  writeFileSync(join(data, "postgresql.conf"), `${lines.join("\n")}\n`);

  const start = async (): Promise<void> => {
    await call("pg_ctl", ["start", "-w", "-s", "-D", data, "-l", join(folder, "log")]);
  };
  const stop = async (mode = "fast"): Promise<void> => {
    await call("pg_ctl", ["stop", "-w", "-s", "-D", data, "-m", mode]);
  };
  await start();
  return {
    url: `postgres://${SUPERUSER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    get pid() {
      return pidIn(folder);
    },
    folder,
    start,
    stop,
    async close() {
      await stop("immediate").catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Inside the folder of the test run, which is cleaned up even if a test is killed. */
function temporaryServerFolder(): string {
  return mkdtempSync(join(process.env["BATON_TEST_POSTGRES"] ?? tmpdir(), "baton-postgres-server-"));
}

/** Stops a server that another process started in the folder. */
export function stopPostgresIn(folder: string): void {
  try {
    const pid = pidIn(folder);
    process.kill(pid, "SIGQUIT");
    for (let tries = 0; tries < 200 && isAlive(pid); tries += 1) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  } catch {
    // Never started or already stopped.
  }
  rmSync(folder, { recursive: true, force: true });
}

function pidIn(folder: string): number {
  return Number(readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n")[0]);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL refuses to run as root, the usual user in a container. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string, name: string): number =>
    Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: "pipe" }));
  return { uid: idOf("-u", "nobody"), gid: idOf("-g", "nobody") };
}

/** Copies the programs when the other user cannot read their folder, such as root's home. */
function readableBinaries(
  folder: string,
  bin: string,
  user: { uid: number; gid: number } | undefined,
): string {
  if (
    user === undefined ||
    spawnSync(join(bin, "postgres"), ["--version"], { cwd: "/", ...user }).status === 0
  )
    return bin;
  cpSync(dirname(bin), join(folder, "programs"), { recursive: true, verbatimSymlinks: true });
  return join(folder, "programs", basename(bin));
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function logOf(folder: string): string {
  try {
    return `\n${readFileSync(join(folder, "log"), "utf8").slice(-2000)}`;
  } catch {
    return "";
  }
}
