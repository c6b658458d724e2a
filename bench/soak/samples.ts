import { mean } from "../statistics.ts";

/** One measurement of the process under load. */
export interface Sample {
  atMs: number;
  residentMb: number;
  heapMb: number;
  openFiles: number;
  /** Since the previous sample. */
  lagP99Ms: number;
}

export async function takeSample(address: string, startedAt: number): Promise<Sample> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const value = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
  return {
    atMs: Date.now() - startedAt,
    residentMb: value("process_resident_memory_bytes") / 2 ** 20,
    heapMb: value("nodejs_heap_size_used_bytes") / 2 ** 20,
    openFiles: value("process_open_fds"),
    lagP99Ms: value("nodejs_eventloop_lag_p99_seconds") * 1000,
  };
}

/** Growth of a figure over all samples, by linear regression. */
export function growthOf(samples: readonly Sample[], figure: Exclude<keyof Sample, "atMs">): number {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || samples.length < 3) return Number.NaN;
  const times = samples.map(({ atMs }) => atMs);
  const values = samples.map((sample) => sample[figure]);
  const meanTime = mean(times);
  const meanValue = mean(values);
  let covariance = 0;
  let variance = 0;
  for (const [index, time] of times.entries()) {
    covariance += (time - meanTime) * (values[index]! - meanValue);
    variance += (time - meanTime) ** 2;
  }
  return (covariance / variance) * (last.atMs - first.atMs);
}
