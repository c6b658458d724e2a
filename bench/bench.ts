import { setTimeout as sleep } from "node:timers/promises";
import type { ChildService } from "../test/chaos/child-service.ts";
import type { Figure, Measurement } from "./measure.ts";
import type { ServiceClient } from "./service-client.ts";

/** A service under measurement. */
export interface Bench {
  seconds: number;
  dataDir: string;
  service: ChildService;
  client: ServiceClient;
  /** Calls per second of the bare Fastify echo, the base of all ratios. */
  floor: number;
  /** Measures that echo again, for ratios of the same moment. */
  echo: Measurement;
}

export const INPUT = { input: { name: "Ada" } };

export function printHeader(): void {
  console.log(
    "| call | callers | calls/s | of the Fastify echo | p50 ms | p99 ms | CPU ms per call |\n|---|---|---|---|---|---|---|",
  );
}

export function print(
  name: string,
  callers: number,
  { perSecond, p50, p99, cpuMs: cost, failures }: Figure,
  floor: number,
): void {
  const note = failures === 0 ? "" : ` (${failures} failed)`;
  console.log(
    `| ${name}${note} | ${callers} | ${perSecond.toFixed(0)} | 1/${(floor / perSecond).toFixed(1)} | ${p50} | ${p99} | ${cost.toFixed(3)} |`,
  );
}

export async function untilIdle(client: ServiceClient): Promise<void> {
  for (;;) {
    const open = await Promise.all(
      ["queued", "running"].map((status) => client.get(`/api/tasks?limit=1&status=${status}`)),
    );
    if (open.every(({ tasks }) => tasks.length === 0)) return;
    await sleep(50);
  }
}
