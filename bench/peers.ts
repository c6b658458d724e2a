import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild } from "../test/chaos/child-service.ts";
import { alternate } from "./alternate.ts";
import { INPUT } from "./bench.ts";
import { chain } from "./graphs.ts";
import { type Figure, measure, type Measurement } from "./measure.ts";
import { residentMb } from "./process-cost.ts";
import { n8nWorkflow, nodeRedFlows } from "./peer-flows.ts";
import { signIn } from "./service-client.ts";

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
      // Version 1 has no drafts and activates workflows instead.
      const isVersion1 = versionOf("n8n")?.startsWith("1.") === true;
      if (isVersion1) call("update:workflow", "--all", "--active=true");
      else call("publish:workflow", `--id=${n8nWorkflow.id}`);
      return { args: ["start"], env };
    },
  },
  ...Object.entries(nodeRedFlows).map(([nodes, flow]): Peer => ({
    name: `Node-RED, ${nodes}`,
    command: "node-red",
    path: "/three",
    prepare(folder, port) {
      const file = join(folder, "flows.json");
      writeFileSync(file, JSON.stringify(flow));
      return { args: ["--userDir", folder, "--port", String(port), file], env: {} };
    },
  })),
];

/**
 * Measures the same three steps in other installed programs (`npm i -g n8n node-red`), each in turn with Baton's
 * synchronous call, so that both see the same load. Baton checks an API key and stores every step; they do neither.
 */
export async function measurePeers(seconds: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "baton-bench-"));
  const service = await startChild({ DATA_DIR: dataDir, LOG_LEVEL: "info" });
  try {
    const client = await signIn(service.address);
    const baton: Omit<Measurement, "connections"> = {
      url: `${service.address}/api/workflows/public/${await client.publish("three", chain(3), true)}`,
      processes: () => [service.pid],
      seconds,
      headers: client.apiKey,
      body: INPUT,
    };
    await measure({ ...baton, connections: 50, seconds: 2 });
    const missing = new Set<string>();
    for (const peer of peers) {
      const version = versionOf(peer.command);
      if (version === undefined) missing.add(peer.command);
      else await measurePeer(peer, version, baton);
    }
    for (const command of missing)
      console.log(
        `\n${command} is not installed, so it was not measured. Install it with npm i -g ${command}.`,
      );
  } finally {
    await service.end("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measurePeer(
  peer: Peer,
  version: string,
  baton: Omit<Measurement, "connections">,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "baton-bench-peer-"));
  let child: ChildProcess | undefined;
  try {
    const port = await freePort();
    const { args, env } = peer.prepare(folder, port);
    const began = performance.now();
    child = spawn(peer.command, args, { env: { ...process.env, ...env }, stdio: "ignore" });
    const pid = child.pid!;
    const url = `http://127.0.0.1:${port}${peer.path}`;
    await waitForResponse(url, child);
    const startMs = performance.now() - began;
    const restMb = residentMb(pid);
    console.log(`\n${peer.name} (${version}):\n`);
    console.log(
      "| callers | Baton calls/s | its calls/s | Baton is | p99 ms of both | CPU ms of both |\n|---|---|---|---|---|---|",
    );
    const itself = { url, processes: () => [pid], seconds: baton.seconds, body: { name: "Ada" } };
    await measure({ ...itself, connections: 50, seconds: 2 });
    for (const connections of [1, 10, 50]) {
      const [ours, theirs] = (await alternate([
        { ...baton, connections },
        { ...itself, connections },
      ])) as [Figure, Figure];
      console.log(
        `| ${connections} | ${ours.perSecond.toFixed(0)} | ${theirs.perSecond.toFixed(0)} | ${(ours.perSecond / theirs.perSecond).toFixed(2)} × | ${ours.p99} / ${theirs.p99} | ${ours.cpuMs.toFixed(3)} / ${theirs.cpuMs.toFixed(3)} |`,
      );
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
