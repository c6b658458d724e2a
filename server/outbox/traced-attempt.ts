import type { Tracing } from "../telemetry/tracing.ts";
import type { Attempt } from "./attempt.ts";

/** Records each attempt as a separate trace: the request that it sends is below it. */
export function traceAttempts(tracing: Tracing, attempt: Attempt): Attempt {
  return async (delivery, signal) => {
    const { id, kind, attempts } = delivery;
    const span = tracing.start(`deliver ${kind}`, {
      // The loop may run in the context of whatever has woken it.
      parent: null,
      attributes: {
        "baton.delivery.id": id,
        "baton.delivery.kind": kind,
        "baton.delivery.attempt": attempts,
      },
    });
    try {
      const outcome = await tracing.run(span.context, () => attempt(delivery, signal));
      const { status, responseStatus } = outcome;
      span.set({ "baton.delivery.status": status });
      span.end(status === "delivered" ? undefined : String(responseStatus ?? "not_sent"));
      return outcome;
    } catch (error) {
      span.end("aborted");
      throw error;
    }
  };
}
