import { AppError } from "../lib/errors.ts";
import { inSpan, type Tracing } from "../telemetry/tracing.ts";
import type { DatabaseTarget } from "./database-url.ts";

/** The names of the conventions, where they differ from ours. */
const SYSTEM_NAMES: Readonly<Record<string, string>> = { postgres: "postgresql" };

/** Runs `work` in a span of the connection to a database server. Statements, keys and values are never recorded. */
export function inDatabaseSpan<T>(
  tracing: Tracing | undefined,
  { type, host, port }: Pick<DatabaseTarget, "type" | "host" | "port">,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work();
  const system = SYSTEM_NAMES[type] ?? type;
  const span = tracing.start(system, {
    kind: "client",
    attributes: { "db.system.name": system, "server.address": host, "server.port": port },
  });
  return inSpan(tracing, span, work, (error) => (error instanceof AppError ? error.code : "query_failed"));
}

/** The same for S3-compatible storage: bucket and key are never recorded. */
export function inStorageSpan<T>(
  tracing: Tracing | undefined,
  endpoint: string,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work();
  const { hostname, port, protocol } = new URL(endpoint);
  const span = tracing.start("s3", {
    kind: "client",
    attributes: {
      "server.address": hostname,
      "server.port": Number(port || (protocol === "http:" ? 80 : 443)),
    },
  });
  return inSpan(tracing, span, work, (error) => (error instanceof AppError ? error.code : "s3_failed"));
}
