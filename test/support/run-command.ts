import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { ensureBuilt } from "./service-process.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface CommandResult {
  code: number | null;
  output: string;
}

export interface RunningCommand {
  child: ChildProcess;
  output(): string;
  ended: Promise<CommandResult>;
}

/** Starts a command (`backup`, `restore`, `move`) as a process that is killed when the test ends. */
export function startCommand(
  name: string,
  args: readonly string[],
  settings: Record<string, string> = {},
): RunningCommand {
  ensureBuilt();
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [`dist/server/${name}.js`, ...args], {
    cwd: root,
    env: { PATH, HOME, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, output }));
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill("SIGKILL");
    await ended;
  });
  return { child, output: () => output, ended };
}

export function runCommand(
  name: string,
  args: readonly string[],
  settings?: Record<string, string>,
): Promise<CommandResult> {
  return startCommand(name, args, settings).ended;
}
