import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import type { Config } from "../../config.ts";
import { ok, type Outcome, problem } from "./finding.ts";

const TIMEOUT_MS = 2000;

export async function checkPort({ host, port }: Pick<Config, "host" | "port">): Promise<Outcome> {
  if (port === 0) return ok("any free port (PORT=0)");
  const code = await listenOnce(host, port);
  if (code === undefined) return ok(`${port} on ${host} is free`);
  if (code === "EADDRINUSE") {
    if (await answersLikeBaton(host, port)) return ok(`${port} on ${host}: Baton is running`);
    return problem(
      `${port} on ${host} is in use${describeOwner(ownerOf(port))}.`,
      "Stop that program, or set PORT to another number.",
    );
  }
  if (code === "EACCES") return problem(`${port} needs root privileges.`, "Set PORT to a number above 1023.");
  return problem(
    `This machine cannot listen on ${host} (${code}).`,
    "Set HOST to an address of this machine, or to 0.0.0.0 for all of them.",
  );
}

async function listenOnce(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unknown error";
  } finally {
    server.close();
  }
}

async function answersLikeBaton(host: string, port: number): Promise<boolean> {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  try {
    const url = `http://${name.includes(":") ? `[${name}]` : name}:${port}/health`;
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return (await response.text()) === '{"ok":true}';
  } catch {
    return false;
  }
}

interface Owner {
  pid: number;
  name: string;
}

/** The process that listens on a port, on Linux, if it belongs to this user. */
function ownerOf(port: number): Owner | undefined {
  const wanted = new Set(inodesListeningOn(port).map((inode) => `socket:[${inode}]`));
  if (wanted.size === 0) return undefined;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const files = readdirSync(`/proc/${pid}/fd`);
      if (!files.some((file) => wanted.has(readlinkSync(`/proc/${pid}/fd/${file}`)))) continue;
      return { pid: Number(pid), name: readFileSync(`/proc/${pid}/comm`, "utf8").trim() };
    } catch {
      // The process belongs to another user, or it has ended.
    }
  }
  return undefined;
}

function inodesListeningOn(port: number): string[] {
  const address = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const LISTENING = "0A";
  return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((file) => {
    try {
      const rows = readFileSync(file, "utf8")
        .split("\n")
        .map((line) => line.trim().split(/\s+/));
      return rows.flatMap(([, local, , state, , , , , , inode]) =>
        local?.endsWith(address) === true && state === LISTENING && inode !== undefined ? [inode] : [],
      );
    } catch {
      return [];
    }
  });
}

function describeOwner(owner: Owner | undefined): string {
  return owner === undefined ? " by another program" : ` by ${owner.name} (process ${owner.pid})`;
}
