import { alternate } from "./alternate.ts";
import { type Bench, INPUT, print, untilIdle } from "./bench.ts";
import { chain, httpChain } from "./graphs.ts";
import { type Figure, measure, type Measurement, warmUp } from "./measure.ts";

const WARM_UP_CALLS = 5_000;

/** Measures every trigger. With fifty callers each is measured in turn with the echo, so that both see the same load. */
export async function measureCalls(bench: Bench, echoUrl: string): Promise<void> {
  const { service, client, seconds, floor } = bench;
  const at = (id: string): Omit<Measurement, "connections"> => ({
    url: `${service.address}/api/workflows/public/${id}`,
    processes: () => [service.pid],
    seconds,
    headers: client.apiKey,
    body: INPUT,
  });
  const three = at(await client.publish("three", chain(3), true));
  await warmUp({ ...three, connections: 50 }, WARM_UP_CALLS);
  for (const connections of [1, 10])
    print("synchronous call, three transforms", connections, await measure({ ...three, connections }), floor);
  await compareWithEcho(bench, "synchronous call, three transforms", three);

  const accepting = await client.publish("accept", chain(3), false);
  await compareWithEcho(bench, "asynchronous call (its three steps run in the background)", at(accepting));
  const { webhook } = await client.post("/api/webhooks", {
    name: "bench",
    source: "bench",
    workflowId: accepting,
  });
  await compareWithEcho(bench, "webhook call (also stored as a delivery)", {
    ...three,
    url: `${service.address}/webhook/bench`,
    headers: { "x-webhook-secret": webhook.secret as string },
    body: INPUT.input,
  });
  const http = await client.publish("http", httpChain(echoUrl), true);
  await compareWithEcho(bench, "synchronous call, three http steps", at(http));
}

async function compareWithEcho(
  { client, echo }: Bench,
  name: string,
  measurement: Omit<Measurement, "connections">,
): Promise<void> {
  const call = { ...measurement, connections: 50 };
  await warmUp(call, WARM_UP_CALLS);
  const [floor, figure] = (await alternate([echo, call], () => untilIdle(client))) as [Figure, Figure];
  print(name, 50, figure, floor.perSecond);
}
