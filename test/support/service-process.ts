import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ENTRY = "dist/server/main.js";

export interface ServiceProcess {
  child: ChildProcess;
  /** Everything printed so far, log lines included. */
  output(): string;
  /** The log's JSON lines. */
  log(): Record<string, unknown>[];
  /** Resolves with the URL when the service is ready; throws with its output if it exits before. */
  ready(): Promise<string>;
  /** Sends a signal and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  exit(): Promise<number | null>;
}

/** Starts the built service as a process that is killed when the test ends. */
export function startService(
  settings: Record<string, string>,
  [program, ...parameters]: [string, ...string[]] = [process.execPath, ENTRY],
): ServiceProcess {
  ensureBuilt();
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(program, parameters, {
    cwd: root,
    env: { PATH, HOME, PORT: "0", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const ended = once(child, "close").then(([code]) => code as number | null);
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill("SIGKILL");
    await ended;
  });

  return {
    child,
    output: () => text,
    log: () =>
      text
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    ready: () =>
      new Promise((resolve, reject) => {
        const checkOutput = (): void => {
          const address = /API documentation\s+(\S+)\/api\/docs/.exec(text)?.[1];
          if (address !== undefined) resolve(address);
        };
        child.stdout.on("data", checkOutput);
        checkOutput();
        void ended.then((code) => reject(new Error(`the service ended with ${code}:\n${text}`)));
      }),
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
    exit: () => ended,
  };
}

let built = false;

/** Builds the current sources, unless `npm test` has already done so. */
export function ensureBuilt(): void {
  if (built) return;
  const script = 'import { ensureBuilt } from "./scripts/prepare.mjs"; await ensureBuilt();';
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the build failed:\n${stderr}`);
  built = true;
}
