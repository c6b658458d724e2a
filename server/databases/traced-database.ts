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
