import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { useTasks } from "../../../api/several-tasks.ts";
import { startPartialRun, startRun, useRecentTasks } from "../../../api/tasks.ts";
import type { Workflow } from "../../../api/types.ts";
import type { Completeness } from "../../../flow/complete-part.ts";
import type { Draft } from "../../../flow/draft.ts";
import {
  isFullRun,
  type KnownResults,
  knownResults,
  type Pins,
  type Renames,
} from "../../../flow/known-results.ts";
import { readsInput } from "../../../flow/reads-input.ts";
import { loopsAround } from "../../../flow/scopes.ts";
import { stepsBefore, stepsFrom } from "../../../flow/step-order.ts";
import { useShortcuts } from "../../../ui/shortcuts.ts";
import { showToast } from "../../../ui/toasts.tsx";
import type { Selection } from "../../../flow/selection.ts";
import type { useAutosave } from "../use-autosave.ts";
import { runChecks } from "./run-checks.ts";
import { useMay } from "../../../api/permissions.ts";

interface RunCommandDeps {
  workflow: Workflow;
  draft: Draft;
  selection: Selection;
  autosave: Pick<ReturnType<typeof useAutosave>, "save">;
  known: KnownResults;
  completeness: Completeness;
  pins: Pins;
  hasPinnedInput: boolean;
  askForInput: () => void;
  /** Opens a step that cannot run yet, by its node id. */
  onIncomplete: (nodeId: string) => void;
  onStarted: (taskId: string) => void;
}

/** Values that a test of one step uses instead of those of the last run. */
export interface TestInputs {
  outputs?: Record<string, unknown>;
  input?: unknown;
}

/** Starts full and partial runs of the draft. The service runs what is saved, so every command saves first. */
export function useRunCommands(deps: RunCommandDeps) {
  const { draft, selection, autosave, known, completeness, pins, onStarted } = deps;
  const { id: workflowId, metadata: live } = deps.workflow;
  const client = useQueryClient();
  const may = useMay();
  const checks = runChecks(deps);
  async function start(
    request: () => Promise<string>,
    needs: "runWorkflow" | "runWorkflowSteps" = "runWorkflowSteps",
  ): Promise<void> {
    if (!may(needs)) return;
    if (!(await autosave.save())) return showToast("Not started: the draft could not be saved.");
    try {
      onStarted(await request());
      // The next partial run takes its inputs from this run, so the list of runs must include it.
      void client.invalidateQueries({ queryKey: ["tasks"] });
    } catch (error) {
      showToast(messageOf(error));
    }
  }
  /** The steps that the input is asked for; undefined for all. */
  const askedFor = useRef<readonly string[]>(undefined);
  function ask(stepIds?: readonly string[]): void {
    askedFor.current = stepIds;
    deps.askForInput();
  }
  function runOnly(stepIds: readonly string[], given: { input?: unknown } = {}): void {
    if (checks.needSetup(stepIds) || checks.lackOutputs(stepIds)) return;
    const steps = draft.steps.filter(({ stepId }) => stepIds.includes(stepId));
    const hasInput = "input" in given || known.input !== undefined;
    if (!hasInput && readsInput({ steps, edges: [], inputSchema: undefined })) return ask(stepIds);
    void start(() =>
      startPartialRun(workflowId, { stepIds, ...known.partialRunInputs(stepIds), ...given }, "draft"),
    );
  }
  function testStep(stepId: string, { outputs, ...inputs }: TestInputs = {}): void {
    if (checks.needSetup([stepId])) return;
    const fromRuns = known.partialRunInputs([stepId]);
    void start(() =>
      startPartialRun(
        workflowId,
        {
          ...fromRuns,
          ...inputs,
          stepIds: [stepId],
          ...(outputs === undefined ? {} : { outputs: { ...fromRuns.outputs, ...outputs } }),
        },
        "draft",
      ),
    );
  }
  // A loop runs as a whole: a step inside it has no input of its own.
  const runSelected = (): void =>
    runOnly([
      ...new Set([...selection.stepIds].map((id) => loopsAround(draft, id).at(-1)?.loop.stepId ?? id)),
    ]);
  const runLive = (input: unknown): void => void start(() => startRun(workflowId, input), "runWorkflow");
  /** Runs the draft or, while it has errors, the steps that are complete. Operators run what is published. */
  function run(input: unknown): void {
    if (!may("runWorkflowSteps")) runLive(input);
    else if (completeness.incomplete.length + completeness.ofTheGraph.length === 0)
      void start(() => startRun(workflowId, input, "draft"));
    else runOnly(completeness.complete, { input });
  }
  /** Asks for the input first if a step reads it. */
  function runOrAsk(): void {
    if (deps.hasPinnedInput || readsInput(may("runWorkflowSteps") ? draft : live)) ask();
    else run({});
  }
  useShortcuts({
    "mod+Enter": (event) => {
      event.preventDefault();
      runOrAsk();
    },
    // The panel tests a single step: it asks for inputs that are missing.
    "shift+mod+Enter": (event) => {
      if (selection.stepIds.size < 2) return;
      event.preventDefault();
      runSelected();
    },
  });
  return {
    testStep,
    runSelected,
    run,
    runOrAsk,
    askForInput: (): void => ask(),
    /** Runs what the input was asked for. */
    runAsked(input: unknown): void {
      if (askedFor.current === undefined) run(input);
      else runOnly(askedFor.current, { input });
    },
    runLive,
    /** Runs all steps before a step, and the step itself. A pinned output stands for its step. */
    runTo(nodeId: string): void {
      const stepId = loopsAround(draft, nodeId).at(-1)?.loop.stepId ?? nodeId;
      runOnly([...stepsBefore(draft, stepId).filter((id) => !pins.has(id)), stepId]);
    },
    runFrom: (stepId: string): void => runOnly(stepsFrom(draft, stepId)),
  };
}

/** How many recent runs to search for the last full run; the partial runs after it are used too. */
export const MAX_RUNS = 20;

/** The latest result of each step. The run started here counts as the newest one while it is still running. */
export function useKnownResults(
  workflowId: string,
  runId: string | undefined,
  pins: Pins,
  renames: Renames,
  pinnedInput: unknown,
): KnownResults {
  const recent = useRecentTasks({ workflowId, limit: MAX_RUNS }).data?.tasks ?? [];
  const fullRun = recent.findIndex(isFullRun);
  const listed = (fullRun < 0 ? recent : recent.slice(0, fullRun + 1)).map(({ id }) => id);
  const tasks = useTasks(runId === undefined ? listed : [runId, ...listed.filter((id) => id !== runId)]);
  return useMemo(() => knownResults(tasks, pins, renames, pinnedInput), [tasks, pins, renames, pinnedInput]);
}
