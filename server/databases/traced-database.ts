import { inClientSpan, type Tracing } from "../telemetry/tracing.ts";
import type { DatabaseTarget } from "./database-url.ts";

/** The names of the conventions, where they differ from ours. */
const SYSTEM_NAMES: Readonly<Record<string, string>> = { postgres: "postgresql" };

/** Runs `work` in a span of the connection to a database server. Statements, keys and values are never recorded. */
export function inDatabaseSpan<T>(
  tracing: Tracing | undefined,
  { type, host, port }: Pick<DatabaseTarget, "type" | "host" | "port">,
  work: () => Promise<T>,
): Promise<T> {
  const system = SYSTEM_NAMES[type] ?? type;
  const attributes = { "db.system.name": system, "server.address": host, "server.port": port };
  return inClientSpan(tracing, { name: system, attributes, failedCode: "query_failed" }, work);
}

/** The same for S3-compatible storage: bucket and key are never recorded. */
export function inStorageSpan<T>(
  tracing: Tracing | undefined,
  endpoint: string,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work();
  const { hostname, port, protocol } = new URL(endpoint);
  const attributes = {
    "server.address": hostname,
    "server.port": Number(port || (protocol === "http:" ? 80 : 443)),
  };
  return inClientSpan(tracing, { name: "s3", attributes, failedCode: "s3_failed" }, work);
}
