import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChildService, startChild } from "../../test/chaos/child-service.ts";
import { peakMb } from "../process-cost.ts";
import { type ServiceClient, signIn } from "../service-client.ts";
import { quantile } from "../statistics.ts";
import type { Attack } from "./attack.ts";

export interface AttackFigures {
  name: string;
  /** 95th percentile of the other user's calls, in milliseconds. */
  aloneMs: number;
  attackedMs: number;
  /** The slowest response of `/health` during the attack. */
  healthMs: number;
  peakMb: number;
  outcome: string;
}

const CALLS_ALONE = 40;
/** As on a small machine. */
const HEAP_MB = 600;
const SETTINGS = { LOG_LEVEL: "error", ALLOW_REGISTRATION: "true" };

/** One attack on a separate service. */
export async function measureAttack(
  attack: Attack,
  serverUrl: string,
  seconds: number,
): Promise<AttackFigures> {
  const dataDir = mkdtempSync(join(tmpdir(), "baton-fairness-"));
  const service = await startChild({ DATA_DIR: dataDir, ...SETTINGS, ...attack.settings }, [
    `--max-old-space-size=${HEAP_MB}`,
  ]);
  try {
    const victim = await victimOf(service, attack, serverUrl);
    const attacker = await signIn(service.address, "attacker");
    const context = { address: service.address, attacker, serverUrl };
    await attack.prepare?.(context);
    const alone: number[] = [];
    for (let n = 0; n < CALLS_ALONE; n += 1) alone.push(await timed(victim));

    const health = watchHealth(service);
    const { ended } = await attack.begin(context);
    const attacked: number[] = [];
    const until = Date.now() + seconds * 1000;
    while (Date.now() < until) attacked.push(await timed(victim));
    const outcome = await ended;
    return {
      name: attack.name,
      aloneMs: quantile(alone, 0.95),
      attackedMs: quantile(attacked, 0.95),
      healthMs: await health.stop(),
      peakMb: peakMb(service.pid),
      outcome,
    };
  } finally {
    await service.end("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function victimOf(service: ChildService, { victim = "call" }: Attack, serverUrl: string) {
  const client = await signIn(service.address, "victim");
  if (victim === "login") return () => logIn(service.address);
  const steps =
    victim === "expression"
      ? [{ stepId: "sum", type: "transform", expression: "1 + 1" }]
      : [{ stepId: "call", type: "http", method: "GET", url: `${serverUrl}/fast` }];
  const id = await client.publish("victim", { steps, edges: [] }, true);
  return () => call(service.address, id, client);
}

async function call(address: string, id: string, { apiKey }: ServiceClient): Promise<void> {
  const response = await fetch(`${address}/api/workflows/public/${id}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...apiKey },
    body: "{}",
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`The victim's call: ${response.status} ${text.slice(0, 300)}`);
}

async function logIn(address: string): Promise<void> {
  const response = await fetch(`${address}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "victim@example.com", password: "bench bench bench" }),
  });
  const text = await response.text();
  if (response.status !== 200)
    throw new Error(`The victim's login: ${response.status} ${text.slice(0, 300)}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Asks for `/health` every 100 ms. */
function watchHealth({ address }: ChildService) {
  let slowest = 0;
  let isOn = true;
  const watching = (async () => {
    while (isOn) {
      const began = performance.now();
      await fetch(`${address}/health`).then((response) => response.text());
      slowest = Math.max(slowest, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return {
    async stop(): Promise<number> {
      isOn = false;
      await watching;
      return slowest;
    },
  };
}
