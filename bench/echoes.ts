import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { INPUT, print } from "./bench.ts";
import type { EchoKind } from "./echo-server.ts";
import { alternate } from "./alternate.ts";
import type { Figure, Measurement } from "./measure.ts";

/** Measures the baseline: servers that parse JSON and send it back. The Node one is also the target of `http` steps. */
export async function measureEchoes(seconds: number) {
  const [node, fastify] = [await startEcho("node"), await startEcho("fastify")];
  const [ofNode, ofFastify] = [node, fastify].map(({ address, pid }): Measurement => ({
    url: address,
    processes: () => [pid],
    connections: 50,
    seconds,
    body: INPUT,
  })) as [Measurement, Measurement];
  const [bare, floor] = (await alternate([ofNode, ofFastify])) as [Figure, Figure];
  print("bare Node echo", 50, bare, floor.perSecond);
  print("bare Fastify echo", 50, floor, floor.perSecond);
  return {
    perSecond: floor.perSecond,
    echo: ofFastify,
    echoUrl: node.address,
    stop() {
      node.stop();
      fastify.stop();
    },
  };
}

export async function startEcho(kind: EchoKind) {
  const file = fileURLToPath(new URL("./echo-server.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", file, kind], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<string>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => resolve(/port (\d+)/.exec(chunk.toString())?.[1] ?? ""));
  });
  return { address: `http://127.0.0.1:${port}/`, pid: child.pid!, stop: () => child.kill() };
}
