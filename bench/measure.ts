import autocannon from "autocannon";
import { cpuMs } from "./process-cost.ts";

export interface Figure {
  perSecond: number;
  p50: number;
  p99: number;
  /** CPU milliseconds of the measured processes per call. */
  cpuMs: number;
  failures: number;
}

export interface Measurement {
  url: string;
  /** Processes whose CPU time counts. */
  processes(): readonly number[];
  connections: number;
  seconds: number;
  method?: "POST" | "GET";
  headers?: Record<string, string>;
  body?: unknown;
}

/** Lets `connections` callers repeat a call, each waiting for its response. A short warm-up is not counted. */
export async function measure({
  url,
  processes,
  connections,
  seconds,
  method = "POST",
  headers = {},
  body,
}: Measurement): Promise<Figure> {
  const options: autocannon.Options = {
    url,
    method,
    connections,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  await autocannon({ ...options, duration: 1.5 });
  const before = cpuMs(processes());
  const result = await autocannon({ ...options, duration: seconds });
  const succeeded = result["2xx"];
  return {
    perSecond: succeeded / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuMs: (cpuMs(processes()) - before) / Math.max(1, succeeded),
    failures: result.non2xx + result.errors,
  };
}
