import { asNumber } from "../../../../contract/compare.ts";
import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { MAX_DELAY_SECONDS, parseIsoTime } from "../../../../contract/steps/delay.ts";
import type { Outcome } from "../outcome.ts";
import { failed } from "../outcome.ts";
import type { ControlStep } from "../run.ts";

/** Waits until a time. It is fixed when the step begins, so that a restart does not extend the wait. */
export const delay: ControlStep = ({ run, memory, fields }) => {
  const now = run.deps.clock.now();
  if (memory.waiting?.kind === "wait") {
    const due = memory.waiting.due ?? now;
    return Promise.resolve<Outcome>(
      due <= now ? { kind: "completed", output: null } : { kind: "waiting", due },
    );
  }
  const due = dueOf(fields["seconds"], fields["until"], now);
  if (due === undefined) {
    return Promise.resolve(
      failed(
        "invalid_delay",
        "The delay needs a number of seconds, or a time in ISO 8601 such as 2030-01-31T09:00:00Z.",
      ),
    );
  }
  if (due <= now) return Promise.resolve<Outcome>({ kind: "completed", output: null });
  // Checked here too: the validator does not see a value that a placeholder brings.
  if (due - now > MAX_DELAY_SECONDS * 1000)
    return Promise.resolve(failed("invalid_delay", "The delay is longer than ten years."));
  return Promise.resolve<Outcome>({ kind: "waiting", due, begin: { status: "waiting", due } });
};

function dueOf(seconds: JsonValue | undefined, until: unknown, now: number): number | undefined {
  if (seconds !== undefined && seconds !== null) {
    const value = asNumber(seconds);
    return value !== undefined && value >= 0 ? now + Math.round(value * 1000) : undefined;
  }
  if (typeof until === "string") return parseIsoTime(until.trim());
  return typeof until === "number" ? Math.round(until) : undefined;
}
