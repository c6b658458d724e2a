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
  /** Resolves with the address when the service says that it is ready; throws with its output when it ends before. */
  ready(): Promise<string>;
  /** Ends it with a signal and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  exit(): Promise<number | null>;
}

/** The built service as a process of its own, ended with the test that started it. */
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
        const look = (): void => {
          const address = /API documentation\s+(\S+)\/api\/docs/.exec(text)?.[1];
          if (address !== undefined) resolve(address);
        };
        child.stdout.on("data", look);
        look();
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

/** `npm test` has built already; a single test file run by hand gets the sources as they are now. */
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
