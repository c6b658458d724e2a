import { type Bench, INPUT, print, untilIdle } from "./bench.ts";
import { chain, httpChain } from "./graphs.ts";
import { type Figure, measure } from "./measure.ts";

/** Every way in, at several concurrencies; returns the synchronous figure at fifty. */
export async function measureCalls(
  { service, client, seconds, floor }: Bench,
  outside: string,
): Promise<Figure> {
  const at = (id: string) => ({
    url: `${service.address}/api/workflows/public/${id}`,
    processes: () => [service.pid],
    seconds,
    headers: client.apiKey,
    body: INPUT,
  });
  const three = await client.publish("three", chain(3), true);
  const figures: Figure[] = [];
  // The first thousands of calls are compiled and not yet optimised: they are nobody's figure.
  await measure({ ...at(three), connections: 50, seconds: 2 });
  for (const connections of [1, 10, 50]) {
    const figure = await measure({ ...at(three), connections });
    figures.push(figure);
    print("synchronous call, three transforms", connections, figure, floor);
  }
  const accepting = await client.publish("accept", chain(3), false);
  print(
    "asynchronous accept (its three steps run beside)",
    50,
    await measure({ ...at(accepting), connections: 50 }),
    floor,
  );
  await untilIdle(client);
  const { webhook } = await client.post("/api/webhooks", {
    name: "bench",
    source: "bench",
    workflowId: accepting,
  });
  const hook = {
    url: `${service.address}/webhook/bench`,
    processes: () => [service.pid],
    seconds,
    headers: { "x-webhook-secret": webhook.secret as string },
    body: INPUT.input,
  };
  print("webhook accept (kept as a delivery, too)", 50, await measure({ ...hook, connections: 50 }), floor);
  await untilIdle(client);
  const http = await client.publish("http", httpChain(outside), true);
  print("synchronous call, three http steps", 50, await measure({ ...at(http), connections: 50 }), floor);
  return figures[2]!;
}
