import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface ChildService {
  address: string;
  pid: number;
  /** From the start of the process to its first response of `/ready`. */
  readyMs: number;
  output(): string;
  /** Stops it and resolves with its exit code, null after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  exited: Promise<number | null>;
}

/** The built service as a user starts it. Throws with its output when it ends before it is ready. */
export async function startChild(
  settings: Record<string, string>,
  nodeArgs: string[] = [],
  /** Another checkout, with its build. */
  folder = root,
): Promise<ChildService> {
  const began = performance.now();
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [...nodeArgs, "dist/server/main.js"], {
    cwd: folder,
    env: {
      PATH,
      HOME,
      PORT: "0",
      RATE_LIMIT_WEBHOOK_PER_MINUTE: "0",
      RATE_LIMIT_ENDPOINT_PER_MINUTE: "0",
      RATE_LIMIT_LOGIN_PER_MINUTE: "0",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const exited = once(child, "close").then(([code]) => code as number | null);
  const address = await new Promise<string>((resolve, reject) => {
    let found: string | undefined;
    const keepOutput = (chunk: Buffer): void => {
      text += chunk.toString();
      // Only the end of the log is kept, so that reading it does not distort the measurement.
      if (text.length > 400_000) text = text.slice(-200_000);
      found ??= /API documentation\s+(\S+)\/api\/docs/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", keepOutput);
    child.stderr.on("data", keepOutput);
    void exited.then((code) => reject(new Error(`the service ended with ${code}:\n${text}`)), reject);
  });
  const { ok } = await fetch(`${address}/ready`).catch(() => ({ ok: false }));
  if (!ok) {
    child.kill("SIGKILL");
    throw new Error(`the service listens and is not ready:\n${text}`);
  }
  return {
    address,
    pid: child.pid!,
    readyMs: performance.now() - began,
    output: () => text,
    async end(signal) {
      child.kill(signal);
      return exited;
    },
    exited,
  };
}
