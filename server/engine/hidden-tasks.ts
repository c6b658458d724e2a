import type { EngineDeps } from "./engine.ts";
import type { RunnableWorkflow } from "./engine-api.ts";

/**
 * Work of a feature that the engine runs as tasks: sessions of teams, ingestion of documents. Such a task has the id of
 * the record it works on, so no list of tasks shows it, and its own lane, so it holds up no other work.
 */
export interface HiddenTasks extends Required<Pick<EngineDeps, "controls" | "lanes" | "beforeFail">> {
  /** The graph that all of these tasks run. */
  workflow: RunnableWorkflow;
}

/** The steps, lanes and hooks of all features as one set. */
export function combineHiddenTasks(features: readonly HiddenTasks[]): Omit<HiddenTasks, "workflow"> {
  return {
    controls: Object.assign({}, ...features.map(({ controls }) => controls)),
    lanes: Object.assign({}, ...features.map(({ lanes }) => lanes)),
    async beforeFail(task, error) {
      for (const feature of features) await feature.beforeFail(task, error);
    },
  };
}
