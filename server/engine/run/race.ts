import { pathUnder } from "../../../contract/step-path.ts";
import { createDeadline } from "../../lib/deadline.ts";
import type { CompiledStep } from "../graph/compiled-graph.ts";
import type { Decision } from "../graph/progress.ts";
import type { RunWrite } from "../store.ts";
import { abandon } from "./control/deadline.ts";
import type { WorkEnd } from "./pool.ts";
import type { Run, RunScope } from "./run.ts";

export interface Race {
  /** Runs a step that another branch may be faster than. */
  work(step: CompiledStep, work: (own: RunScope) => Promise<WorkEnd>): Promise<WorkEnd>;
  /** Ends the other branches before the winner is recorded, so that none of them records anything after it. */
  endLost(decision: Decision): Promise<Pick<RunWrite, "closedWaits">>;
}

/** The branches of a scope of which the first to end wins. */
export function createRace(run: Run, scope: RunScope): Race {
  const running = new Map<string, { abort(): void; left: Promise<unknown> }>();
  return {
    work(step, work) {
      const stop = createDeadline(undefined, { outer: scope.stop });
      const left = work({ ...scope, stop });
      running.set(step.id, { abort: () => stop.abort(), left });
      return left.finally(() => {
        running.delete(step.id);
        stop.clear();
      });
    },
    async endLost({ lost = [] }) {
      const ending = lost.flatMap((id) => running.get(id) ?? []);
      for (const step of ending) step.abort();
      await Promise.allSettled(ending.map(({ left }) => left));
      const closedWaits: string[] = [];
      for (const id of lost) closedWaits.push(...(await abandon(run, pathUnder(scope.prefix, id))));
      return closedWaits.length === 0 ? {} : { closedWaits };
    },
  };
}
