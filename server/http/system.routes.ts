import * as z from "zod";
import { errorSchema, success } from "../../contract/api.ts";
import { unavailable } from "../lib/errors.ts";
import type { Metrics } from "../metrics.ts";
import type { HttpServer } from "./server.ts";

const tags = ["system"];
const open = { config: { auth: "public" as const } };

export interface SystemRoutesDeps {
  /** Resolves when the stores answer and take what is written; throws with the reason otherwise. */
  probe(): Promise<void>;
  metrics: Metrics;
}

export function systemRoutes(app: HttpServer, { probe, metrics }: SystemRoutesDeps): void {
  app.get(
    "/health",
    { ...open, schema: { tags, summary: "The process is up", security: [], response: { 200: success({}) } } },
    () => ({ ok: true as const }),
  );

  app.get(
    "/ready",
    {
      ...open,
      schema: {
        tags,
        summary: "The stores answer and work is taken",
        security: [],
        response: { 200: success({}), 503: errorSchema },
      },
    },
    async () => {
      await probe().catch((error: unknown) => {
        throw unavailable("The service does not take work right now.", error);
      });
      return { ok: true as const };
    },
  );

  app.get(
    "/metrics",
    {
      ...open,
      schema: {
        tags,
        summary: "Prometheus metrics",
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
