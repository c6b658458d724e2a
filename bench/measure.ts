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
export async function measure(measurement: Measurement): Promise<Figure> {
  const { processes, seconds } = measurement;
  const options = optionsOf(measurement);
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

/** Calls until V8 has optimized the code: the first thousand calls of a kind take three times the CPU of later ones. */
export async function warmUp(measurement: Measurement, calls: number): Promise<void> {
  await autocannon({ ...optionsOf(measurement), amount: calls });
}

function optionsOf({
  url,
  method = "POST",
  connections,
  headers = {},
  body,
}: Measurement): autocannon.Options {
  return {
    url,
    method,
    connections,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}
