import { collectDefaultMetrics, Histogram, Registry } from "prom-client";

export interface Metrics {
  contentType: string;
  text(): Promise<string>;
  registry: Registry;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
}

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
    observeRequest: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
  };
}
