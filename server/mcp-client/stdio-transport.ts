import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { AppError } from "../lib/errors.ts";
import { tooLarge } from "../lib/limited-fetch.ts";
import type { StdioCommand } from "./stdio-settings.ts";

const EXIT_GRACE_MS = 1000;

export interface StdioLimits {
  /** Limits everything that the program writes, errors included. */
  maxBytes: number;
}

/**
 * Runs an MCP server as a child process in its own group and in an empty folder, which is its home. The whole group
 * is killed when the call ends: a server that started other programs leaves none behind.
 */
export async function openStdio(
  { command, args, env }: StdioCommand,
  { maxBytes }: StdioLimits,
  onFailure: (error: Error) => void,
): Promise<Transport> {
  const { deserializeMessage, serializeMessage } = await import("@modelcontextprotocol/client");
  const home = await mkdtemp(join(tmpdir(), "baton-mcp-"));
  let child: ChildProcess | undefined;
  let isClosed = false;
  let bytesLeft = maxBytes;
  let unread = "";

  function count(piece: Buffer): boolean {
    bytesLeft -= piece.length;
    if (bytesLeft >= 0) return true;
    onFailure(tooLarge(maxBytes));
    return false;
  }

  function read(piece: Buffer): void {
    if (isClosed || !count(piece)) return;
    const lines = (unread + piece.toString()).split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines) {
      // Programs print more than messages, such as a greeting.
      if (!line.startsWith("{")) continue;
      try {
        transport.onmessage?.(deserializeMessage(line) as JSONRPCMessage);
      } catch (error) {
        transport.onerror?.(error as Error);
      }
    }
  }

  const transport: Transport & { stderr: null; pid: null } = {
    // By these the library knows that a server without an answer to its first question is an old one.
    stderr: null,
    pid: null,
    start: () =>
      new Promise<void>((resolve, reject) => {
        if (isClosed) return reject(cannotStart());
        child = spawn(command, [...args], {
          cwd: home,
          env: { HOME: home, TMPDIR: home, ...env },
          stdio: ["pipe", "pipe", "pipe"],
          detached: true,
          shell: false,
        });
        child.once("spawn", () => resolve());
        child.once("error", () => reject(cannotStart()));
        child.once("exit", () => {
          if (!isClosed) onFailure(ended());
        });
        child.stdout?.on("data", read);
        child.stderr?.on("data", count);
        child.stdin?.on("error", () => undefined);
      }),
    async send(message) {
      child?.stdin?.write(serializeMessage(message));
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await stopGroup(child);
      await rm(home, { recursive: true, force: true });
      transport.onclose?.();
    },
  };
  return transport;
}

/** A closed stdin asks the server to exit, as the protocol says. */
async function stopGroup(child: ChildProcess | undefined): Promise<void> {
  if (child?.pid === undefined) return;
  const { pid } = child;
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  if (child.exitCode === null && child.signalCode === null) {
    child.stdin?.end();
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([exited, new Promise((resolve) => (timer = setTimeout(resolve, EXIT_GRACE_MS)))]);
    clearTimeout(timer);
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
}

function cannotStart(): AppError {
  return new AppError(
    "mcp_failed",
    "The program of the MCP server could not be started. Check MCP_STDIO_SERVERS.",
  );
}

function ended(): AppError {
  return new AppError("mcp_failed", "The program of the MCP server ended during the call.");
}
