import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { createDeliveryMetrics, type DeliveryMetrics } from "./delivery-metrics.ts";
import { createModelMetrics, type ModelMetrics } from "./model-metrics.ts";
import { createRunMetrics, type RunMetrics } from "./run-metrics.ts";

export interface Metrics {
  contentType: string;
  text(): Promise<string>;
  registry: Registry;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** A batch of statements was written, or failed. */
  observeWrite(seconds: number): void;
  /** Reads the stats each time the metrics are scraped. */
  collectWorkStats(read: () => Promise<WorkStats>): void;
  runs: RunMetrics;
  models: ModelMetrics;
  deliveries: DeliveryMetrics;
}

export interface WorkStats {
  /** Tasks running in this process. */
  running: number;
  /** Due tasks that wait for a slot, in all processes. */
  due: number;
  oldestDueSeconds: number;
  /** Tasks of processes whose lease expired, and quarantined tasks. */
  stuck: number;
  /** The slots of this process, by lane. */
  slots: readonly { lane: string; limit: number; used: number }[];
}

const WORK_GAUGES: readonly [name: string, help: string, field: Exclude<keyof WorkStats, "slots">][] = [
  ["baton_tasks_running", "Tasks running in this process", "running"],
  ["baton_queue_due_tasks", "Due tasks waiting for a slot, in all processes", "due"],
  ["baton_queue_oldest_seconds", "Waiting time of the oldest due task, in seconds", "oldestDueSeconds"],
  [
    "baton_stuck_tasks",
    "Tasks of processes whose lease expired, and tasks quarantined after crashes",
    "stuck",
  ],
];

/** One registry per app: two apps in one test process keep separate metrics. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "baton_http_request_seconds",
    help: "Duration of HTTP requests in seconds, by method, route and status",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers,
  });
  const writes = new Histogram({
    name: "baton_db_write_seconds",
    help: "Duration of database writes in seconds, until they are durable",
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2, 10],
    registers,
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    registry,
    collectWorkStats(read) {
      // All gauges of a scrape share one read. If the database is unavailable, the other metrics stay readable.
      let reading: Promise<WorkStats | undefined> | undefined;
      const readOnce = () =>
        (reading ??= read()
          .catch(() => undefined)
          .finally(() => (reading = undefined)));
      for (const [name, help, field] of WORK_GAUGES) {
        const gauge: Gauge = new Gauge({
          name,
          help,
          registers,
          async collect() {
            const stats = await readOnce();
            if (stats === undefined) gauge.reset();
            else gauge.set(stats[field]);
          },
        });
      }
      for (const [name, help, field] of [
        ["baton_slots", "Tasks that this process may run at once, by lane", "limit"],
        ["baton_slots_used", "Slots in use, by lane", "used"],
      ] as const) {
        const gauge: Gauge<"lane"> = new Gauge({
          name,
          help,
          labelNames: ["lane"],
          registers,
          async collect() {
            gauge.reset();
            for (const slots of (await readOnce())?.slots ?? [])
              gauge.set({ lane: slots.lane }, slots[field]);
          },
        });
      }
    },
    observeRequest: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    observeWrite: (seconds) => writes.observe(seconds),
    runs: createRunMetrics(registry),
    models: createModelMetrics(registry),
    deliveries: createDeliveryMetrics(registry),
  };
}
