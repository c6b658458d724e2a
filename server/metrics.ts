import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export interface Metrics {
  contentType: string;
  text(): Promise<string>;
  registry: Registry;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** How the work stands is asked when the metrics are. */
  watchWork(read: () => Promise<WorkStats>): void;
}

export interface WorkStats {
  /** Tasks that this process works on. */
  running: number;
  /** Tasks that are due and that nobody works on, in all processes. */
  due: number;
  oldestDueSeconds: number;
  /** Tasks of processes that have given no sign of life for a whole lease, and those held back as suspects. */
  stuck: number;
}

const WORK_GAUGES: readonly [name: string, help: string, of: keyof WorkStats][] = [
  ["baton_tasks_running", "Tasks that this process works on", "running"],
  ["baton_queue_due_tasks", "Tasks that are due and wait for a place", "due"],
  ["baton_queue_oldest_seconds", "How long the one waits that has waited longest", "oldestDueSeconds"],
  ["baton_stuck_tasks", "Tasks whose process is silent, and those held back after taking one down", "stuck"],
];

/** One registry an app, so that two apps in one test process do not count into each other. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "baton_http_request_seconds",
    help: "Time to answer, by method, route and status",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    registry,
    watchWork(read) {
      // All gauges are collected at the same time: one read fills them all. A database that is away keeps the rest readable.
      let reading: Promise<WorkStats | undefined> | undefined;
      const readOnce = () =>
        (reading ??= read()
          .catch(() => undefined)
          .finally(() => (reading = undefined)));
      for (const [name, help, of] of WORK_GAUGES) {
        const gauge: Gauge = new Gauge({
          name,
          help,
          registers: [registry],
          async collect() {
            const stats = await readOnce();
            if (stats === undefined) gauge.reset();
            else gauge.set(stats[of]);
          },
        });
      }
    },
    observeRequest: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
  };
}
