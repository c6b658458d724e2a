import { inClientSpan, type Tracing } from "../telemetry/tracing.ts";

/** Runs `work` in a span that names the mail server, never an address. */
export function inMailSpan<T>(
  tracing: Tracing | undefined,
  host: string,
  work: () => Promise<T>,
): Promise<T> {
  const attributes = { "server.address": host };
  return inClientSpan(tracing, { name: "send mail", attributes, failedCode: "mail_failed" }, work);
}
