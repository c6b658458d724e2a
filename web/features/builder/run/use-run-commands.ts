import { useQueryClient } from "@tanstack/react-query";
import { messageOf } from "../../../api/api-error.ts";
import { startPartialRun, startRun } from "../../../api/tasks.ts";
import type { Draft } from "../../../flow/draft.ts";
import type { KnownResults } from "../../../flow/known-results.ts";
import { stepsFrom } from "../../../flow/step-order.ts";
import { say } from "../../../ui/toasts.tsx";
import type { Selection } from "../../../flow/selection.ts";
import type { useAutosave } from "../use-autosave.ts";

interface RunCommandDeps {
  workflowId: string;
  draft: Draft;
  selection: Selection;
  autosave: Pick<ReturnType<typeof useAutosave>, "save">;
  known: KnownResults;
  onStarted: (taskId: string) => void;
}

/** Starts full and partial runs. The service runs the saved version, so every command saves first. */
export function useRunCommands({ workflowId, draft, selection, autosave, known, onStarted }: RunCommandDeps) {
  const client = useQueryClient();
  async function start(request: () => Promise<string>): Promise<void> {
    if (!(await autosave.save()))
      return say("Not started: the workflow could not be saved. Fix its problems first.");
    try {
      onStarted(await request());
      // The next partial run takes its inputs from this run, so the list of runs must include it.
      void client.invalidateQueries({ queryKey: ["tasks"] });
    } catch (error) {
      say(messageOf(error));
    }
  }
  function runOnly(stepIds: readonly string[]): void {
    void start(() => startPartialRun(workflowId, { stepIds, ...known.partialRunInputs(stepIds) }));
  }
  return {
    run: (input: unknown): void => void start(() => startRun(workflowId, input)),
    runSelected: (): void => runOnly([...selection.stepIds]),
    runFrom: (stepId: string): void => runOnly(stepsFrom(draft, stepId)),
  };
}
