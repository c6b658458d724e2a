import { onTestFinished } from "vitest";
import { createLogger } from "../../log.ts";
import { createMetrics } from "../../telemetry/metrics.ts";
import { createHttpServer, type HttpServer, type HttpServerOptions } from "../server.ts";

/** Without routes; closed when the running test ends. */
export function createTestServer(options: Partial<HttpServerOptions> = {}): HttpServer {
  const app = createHttpServer({
    logger: createLogger("silent"),
    metrics: createMetrics(),
    isAllowedHost: () => true,
    trustProxy: false,
    corsOrigins: [],
    jsonBodyBytes: 1024,
    stopGraceMs: 0,
    ...options,
  });
  onTestFinished(() => app.close());
  return app;
}
