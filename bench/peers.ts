import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { print, printHeader } from "./bench.ts";
import { measure } from "./measure.ts";
import { residentMb } from "./process-cost.ts";
import { n8nWorkflow, nodeRedFlow } from "./peer-flows.ts";

interface Peer {
  name: string;
  command: string;
  path: string;
  /** Prepares the folder and returns the arguments and environment for the start. */
  prepare(folder: string, port: number): { args: string[]; env: Record<string, string> };
}

const peers: readonly Peer[] = [
  {
    name: "n8n",
    command: "n8n",
    path: "/webhook/three",
    prepare(folder, port) {
      const env = {
        N8N_USER_FOLDER: folder,
        N8N_PORT: String(port),
        N8N_LISTEN_ADDRESS: "127.0.0.1",
        N8N_DIAGNOSTICS_ENABLED: "false",
        N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
        N8N_PERSONALIZATION_ENABLED: "false",
      };
      const file = join(folder, "three.json");
      writeFileSync(file, JSON.stringify([n8nWorkflow]));
      const call = (...args: string[]) =>
        execFileSync("n8n", args, { env: { ...process.env, ...env }, stdio: "ignore" });
      call("import:workflow", `--input=${file}`);
      call("update:workflow", "--all", "--active=true");
      return { args: ["start"], env };
    },
  },
  {
    name: "Node-RED",
    command: "node-red",
    path: "/three",
    prepare(folder, port) {
      const file = join(folder, "flows.json");
      writeFileSync(file, JSON.stringify(nodeRedFlow));
      return { args: ["--userDir", folder, "--port", String(port), file], env: {} };
    },
  },
];

/** Measures the same webhook with three steps in other installed programs: `npm i -g n8n node-red`. */
export async function measurePeers(seconds: number, floor: number): Promise<void> {
  for (const peer of peers) {
    const version = versionOf(peer.command);
    if (version === undefined) {
      console.log(
        `\n${peer.name} is not installed, so it was not measured. Install it with npm i -g ${peer.command}.`,
      );
      continue;
    }
    console.log(`\n${peer.name} ${version}:\n`);
    await measurePeer(peer, seconds, floor);
  }
}

async function measurePeer(peer: Peer, seconds: number, floor: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "baton-bench-peer-"));
  let child: ChildProcess | undefined;
  try {
    const port = await freePort();
    const { args, env } = peer.prepare(folder, port);
    const began = performance.now();
    child = spawn(peer.command, args, { env: { ...process.env, ...env }, stdio: "ignore" });
    const { pid } = child;
    const url = `http://127.0.0.1:${port}${peer.path}`;
    await waitForResponse(url, child);
    const startMs = performance.now() - began;
    const restMb = residentMb(pid!);
    printHeader();
    for (const connections of [1, 10, 50]) {
      const figure = await measure({
        url,
        processes: () => [pid!],
        connections,
        seconds,
        body: { name: "Ada" },
      });
      print("webhook, three steps, response is the last output", connections, figure, floor);
    }
    console.log(
      `\nFirst response ${Math.round(startMs)} ms after the start, with ${restMb.toFixed(0)} MB resident.`,
    );
  } finally {
    child?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function waitForResponse(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null)
      throw new Error(`it exited with ${child.exitCode} before its first response`);
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"name":"Ada"}',
    }).catch(() => undefined);
    if (response?.ok === true && (await response.text()).includes("Ada")) return;
    await sleep(100);
  }
  throw new Error(`${url} did not respond within a minute`);
}

function versionOf(command: string): string | undefined {
  try {
    return /\d+\.\d+\.\d+/.exec(execFileSync(command, ["--version"], { encoding: "utf8" }))?.[0] ?? "unknown";
  } catch {
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
