import { type Bench, INPUT, untilIdle } from "./bench.ts";
import { approval, chain, fanOut, foreach } from "./graphs.ts";
import { cpuMs, peakMb, residentMb } from "./process-cost.ts";

export const WAITING = 10_000;

/** Measures the cost of a step in large graphs, and that memory does not grow with finished steps. */
export async function measureSizes({ service, client }: Bench): Promise<[string, string][]> {
  const rows: [string, string][] = [];
  const cases: [string, object, object, number][] = [
    ["100-way fan-out and join", fanOut(100), INPUT, 102],
    [
      "foreach over 10,000 items",
      foreach(),
      { input: { items: Array.from({ length: 10_000 }, (_, index) => index) } },
      10_000,
    ],
    ["chain of 1,000 steps", chain(1000), INPUT, 1000],
  ];
  for (const [name, graph, body, steps] of cases) {
    const id = await client.publish(name, graph, true);
    const [cpuBefore, startedAt] = [cpuMs([service.pid]), performance.now()];
    const { taskId } = await client.post(`/api/workflows/${id}/run?wait=true`, body);
    const tookMs = performance.now() - startedAt;
    const cpu = cpuMs([service.pid]) - cpuBefore;
    const { task } = await client.get(`/api/tasks/${taskId}`);
    if (task.status !== "completed") throw new Error(`${name} ended ${task.status}`);
    rows.push([
      name,
      `${Math.round(tookMs)} ms, ${(cpu / steps).toFixed(2)} CPU ms per step, resident ${residentMb(service.pid).toFixed(0)} MB, peak ${peakMb(service.pid).toFixed(0)} MB`,
    ]);
  }
  return rows;
}

export async function fillWithApprovals({ service, client }: Bench): Promise<void> {
  const id = await client.publish("approval", approval, false);
  const url = `${service.address}/api/workflows/public/${id}`;
  const headers = { "content-type": "application/json", ...client.apiKey };
  for (let made = 0; made < WAITING; made += 100) {
    await Promise.all(
      Array.from({ length: 100 }, async () =>
        (await fetch(url, { method: "POST", headers, body: "{}" })).arrayBuffer(),
      ),
    );
  }
  await untilIdle(client);
}
