import { createSizedCache } from "../../lib/sized-cache.ts";
import type { ParkedState } from "../run/run.ts";
import type { EngineTask } from "../tasks/engine-task.ts";
import type { LargeInput } from "../task-queue.ts";

/** Reading fewer steps again costs less than keeping them: most parked tasks hold no memory at all. */
const MIN_STEPS = 100;
/** Paths and items of all parked runs together; about 300 bytes each. */
const MAX_STEPS = 100_000;
/** This many characters of a large input count as one step. */
const CHARACTERS_PER_STEP = 100;

export type ParkedRuns = ReturnType<typeof createParkedRuns>;

/**
 * The state of long runs that parked in this process. A loop of ten thousand iterations that wait parks a thousand times;
 * without this each resume would read its whole journal and its whole input. The journal is append-only: entries recorded
 * since are read and applied to the state.
 */
export function createParkedRuns() {
  const states = createSizedCache<{
    state: ParkedState;
    workflowVersion: number;
    input: LargeInput | undefined;
  }>(MAX_STEPS);
  return {
    /** Returns the state to one run only, which changes it. */
    take({ id, workflowVersion }: Pick<EngineTask, "id" | "workflowVersion">): ParkedState | undefined {
      const parked = states.get(id);
      states.delete(id);
      return parked?.workflowVersion === workflowVersion ? parked.state : undefined;
    },
    /** The input of a parked run, if it is large. */
    input: (taskId: string): LargeInput | undefined => states.get(taskId)?.input,
    keep(
      {
        id,
        workflowVersion,
        input,
        inputCharacters,
      }: Pick<EngineTask, "id" | "workflowVersion"> & Partial<LargeInput>,
      state: ParkedState,
    ): void {
      let size = state.memory.size;
      for (const { items } of state.loops.values()) size += items.length;
      if (size < MIN_STEPS || size > MAX_STEPS) return;
      const inputSize = Math.ceil((inputCharacters ?? 0) / CHARACTERS_PER_STEP);
      if (inputCharacters === undefined || size + inputSize > MAX_STEPS)
        states.set(id, { state, workflowVersion, input: undefined }, size);
      else
        states.set(
          id,
          { state, workflowVersion, input: { input: input ?? null, inputCharacters } },
          size + inputSize,
        );
    },
  };
}
