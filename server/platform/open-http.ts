import packageFile from "../../package.json" with { type: "json" };
import { createHostCheck } from "../http/allowed-hosts.ts";
import { type AccessChecks, requireLogin } from "../http/auth.ts";
import { type AuditOptions, recordActions } from "../http/audit.ts";
import { openApi } from "../http/openapi/openapi.ts";
import { createHttpServer, type HttpServer } from "../http/server.ts";
import { systemRoutes } from "../http/system.routes.ts";
import type { Platform } from "./part.ts";

/** The HTTP server with login, API documentation and system routes; the parts add their own routes. */
export async function openHttp(
  { config, logger, probe, metrics, tracing }: Platform,
  access: AccessChecks,
  audit: AuditOptions,
): Promise<HttpServer> {
  const http = createHttpServer({
    logger,
    metrics,
    tracing,
    isAllowedHost: createHostCheck(config),
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    jsonBodyBytes: config.limits.jsonBodyBytes,
    largestBodyBytes: Math.max(
      config.limits.jsonBodyBytes,
      config.limits.webhookBodyBytes,
      config.limits.uploadBytes,
    ),
    stopGraceMs: config.stopGraceMs,
  });
  requireLogin(http, access);
  recordActions(http, audit);
  await openApi(http, { version: packageFile.version, publicUrl: config.publicUrl });
  systemRoutes(http, { metrics, probe });
  return http;
}
