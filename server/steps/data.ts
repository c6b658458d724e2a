import { setImmediate as nextTurn } from "node:timers/promises";
import { DataProblem, DataTooLarge } from "../../contract/data/data-problem.ts";
import { dataWork } from "../../contract/data/operations.ts";
import type { Work } from "../../contract/data/work.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { StepRunner } from "../engine/run/step-runner.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { outputTooLarge } from "../limits/limit-reached.ts";
import type { Limits } from "../limits/limits.ts";
import { invalidField } from "./step-failure.ts";

export interface DataRunnerDeps {
  limits: Pick<Limits, "max" | "countRefusal">;
  clock?: Pick<Clock, "monotonic">;
}

/** Other requests are answered after this time; a hundred items, the shortest part, take far less. */
const TURN_MS = 8;

/** Computes lists in short turns of the event loop: 100,000 items would block it for a second. */
export function createDataRunner({ limits, clock = systemClock }: DataRunnerDeps): StepRunner {
  const maxBytes = limits.max("value_bytes") || Number.MAX_SAFE_INTEGER;

  async function inTurns(work: Work, signal: AbortSignal): Promise<JsonValue[]> {
    let turnEnds = clock.monotonic() + TURN_MS;
    for (;;) {
      const { done, value } = work.next();
      if (done === true) return value;
      if (clock.monotonic() < turnEnds) continue;
      await nextTurn();
      signal.throwIfAborted();
      turnEnds = clock.monotonic() + TURN_MS;
    }
  }

  return {
    async run({ fields, signal }) {
      try {
        return { output: await inTurns(dataWork(fields, maxBytes), signal) };
      } catch (error) {
        if (error instanceof DataProblem) throw invalidField(error.field, error.message);
        if (!(error instanceof DataTooLarge)) throw error;
        limits.countRefusal("value_bytes");
        throw outputTooLarge(
          "value_bytes",
          `The result would be larger than ${maxBytes} bytes. Filter the lists first, or pick fewer fields.`,
        );
      }
    },
  };
}
