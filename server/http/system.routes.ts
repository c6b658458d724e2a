import * as z from "zod";
import { success } from "../../contract/api.ts";
import { unavailable } from "../lib/errors.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { HttpServer } from "./server.ts";

const tags = ["system"];
const publicRoute = { config: { auth: "public" as const } };
const probeRoute = { config: { auth: "public" as const, anyHost: true as const } };

export interface SystemRoutesDeps {
  /** Resolves when the database and the file store accept reads and writes; throws otherwise. */
  probe(): Promise<void>;
  metrics: Metrics;
}

export function systemRoutes(app: HttpServer, { probe, metrics }: SystemRoutesDeps): void {
  app.get(
    "/health",
    {
      ...probeRoute,
      schema: {
        tags,
        operationId: "getHealth",
        summary: "Liveness: the process is running",
        description: "Always 200 while the process answers. Use it to decide whether to restart the process.",
        security: [],
        response: { 200: success({}) },
      },
    },
    () => ({ ok: true as const }),
  );

  app.get(
    "/ready",
    {
      ...probeRoute,
      schema: {
        tags,
        operationId: "getReadiness",
        summary: "Readiness: the stores are available and tasks are accepted",
        description:
          "200 when the database and the file store accept reads and writes, else 503. Use it to decide whether to send requests to the process.",
        errors: ["unavailable"],
        security: [],
        response: { 200: success({}) },
      },
    },
    async () => {
      await probe().catch((error: unknown) => {
        throw unavailable("The service is not ready. Try again later.", error);
      });
      return { ok: true as const };
    },
  );

  app.get(
    "/metrics",
    {
      ...publicRoute,
      schema: {
        tags,
        operationId: "getMetrics",
        summary: "Prometheus metrics",
        description:
          "The metrics of this process in the text format of Prometheus: requests, tasks, queues, limits.",
        security: [],
        produces: ["text/plain"],
        response: { 200: z.string().describe("Prometheus text format") },
      },
    },
    async (_request, reply) =>
      reply
        .type(metrics.contentType)
        .serializer(String)
        .send(await metrics.text()),
  );
}
