import { AppError } from "../lib/errors.ts";
import { inSpan, type Tracing } from "../telemetry/tracing.ts";

/** Runs `work` in a span that names the mail server, never an address. */
export function inMailSpan<T>(
  tracing: Tracing | undefined,
  host: string,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work();
  const span = tracing.start("send mail", { kind: "client", attributes: { "server.address": host } });
  return inSpan(tracing, span, work, (error) => (error instanceof AppError ? error.code : "mail_failed"));
}
