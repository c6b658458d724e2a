import { useEffect, useRef, useState } from "react";
import type { Workflow } from "../../api/types.ts";
import { type Draft, draftOf } from "../../flow/draft.ts";
import { locate } from "../../flow/scopes.ts";
import { emptySelection, type Selection, selectStep, selectTrigger } from "../../flow/selection.ts";
import { useLiveRun } from "../runs/use-live-run.ts";
import { linkedStepId, linkedTriggerId } from "./builder-link.ts";
import { useGraphCommands } from "./canvas/use-graph-commands.ts";
import type { StepTab } from "./inspector/step-panel.tsx";
import { readLocalDraft } from "./local-draft.ts";
import { useTriggers } from "./triggers/use-triggers.ts";
import { usePinCommand } from "./run/use-pin-command.ts";
import { usePins } from "./run/use-pins.ts";
import { useRenames } from "./run/use-renames.ts";
import { useKnownResults, useRunCommands } from "./run/use-run-commands.ts";
import { useAutosave } from "./use-autosave.ts";
import { useDraft, useValidation } from "./use-draft.ts";

export type Panel = "find" | "versions" | "run" | "settings";

/** Everything the builder knows and can do; its parts are views over this. */
export type BuilderState = ReturnType<typeof useBuilder>;

export function useBuilder(workflow: Workflow) {
  const initial = useInitialDraft(workflow);
  const history = useDraft(() => initial.draft);
  const { draft } = history;
  const validated = useValidation(draft, workflow.id);
  const [conflict, setConflict] = useState<{ theirs: Workflow; base: Draft }>();
  const autosave = useAutosave({
    workflow,
    draft,
    valid: validated.validation.valid,
    initial: initial.saved,
    onConflict: (theirs, base) => setConflict({ theirs, base }),
  });
  const [selection, setSelection] = useState<Selection>(() => linkedSelection(initial.draft));
  const [panel, setPanel] = useState<Panel>();
  const [tab, setTab] = useState<StepTab>("settings");
  const [runId, setRunId] = useState<string>();

  const live = useLiveRun(runId);
  const pinning = usePins(workflow.id);
  const { renames, rename } = useRenames();
  const known = useKnownResults(workflow.id, runId, pinning.pins, renames);
  const triggers = useTriggers(workflow);
  const onRenamed = (from: string, to: string): void => {
    rename(from, to);
    pinning.rename(from, to);
  };
  const commands = useGraphCommands({
    history,
    triggers,
    selection,
    setSelection,
    autosave,
    onRenamed,
    setPanel,
  });
  const runs = useRunCommands({
    workflowId: workflow.id,
    draft,
    selection,
    autosave,
    known,
    onStarted(taskId) {
      setRunId(taskId);
      // A user who runs a step while its form is open wants to see the output next.
      setTab("output");
    },
  });
  const pin = usePinCommand({ selection, pinning, known });
  useRemoteChanges(workflow, history, autosave);

  return {
    workflow,
    triggers,
    history,
    ...validated,
    autosave,
    conflict,
    closeConflict: () => setConflict(undefined),
    selection,
    setSelection,
    panel,
    openPanel: setPanel,
    closePanel: () => setPanel(undefined),
    closeInspector() {
      setSelection(emptySelection);
      setPanel(undefined);
    },
    tab,
    setTab,
    live,
    openRun: setRunId,
    closeRun: () => setRunId(undefined),
    known,
    pinning,
    onRenamed,
    commands: { ...commands, ...runs, ...pin },
  };
}

/** An unsaved draft of the last visit takes precedence over the saved workflow. */
function useInitialDraft(workflow: Workflow) {
  const [initial] = useState(() => {
    const saved = draftOf(workflow);
    const local = readLocalDraft(workflow.id);
    if (local === undefined) return { draft: saved, saved: { version: workflow.version, draft: saved } };
    return { draft: local.draft, saved: { version: local.baseVersion, draft: local.base } };
  });
  return initial;
}

/** The trigger or the step that the URL names. A step must be in the draft. */
function linkedSelection(draft: Draft): Selection {
  const trigger = linkedTriggerId();
  if (trigger !== null) return selectTrigger(trigger);
  const stepId = linkedStepId();
  return stepId !== null && locate(draft, stepId) !== undefined ? selectStep(stepId) : emptySelection;
}

/** Adopts a version saved elsewhere. With local edits it does nothing: the next save reports the conflict. */
function useRemoteChanges(
  workflow: Workflow,
  { reset }: ReturnType<typeof useDraft>,
  { rebase, version, state }: ReturnType<typeof useAutosave>,
): void {
  const isClean = state.kind === "saved";
  const seen = useRef(workflow.version);
  useEffect(() => {
    if (workflow.version <= seen.current) return;
    seen.current = workflow.version;
    // The page's own save arrives here too; its version equals the rebased one and changes nothing.
    if (!isClean || workflow.version <= version) return;
    const theirs = draftOf(workflow);
    rebase(workflow, theirs);
    reset(theirs);
  }, [workflow, version, isClean, rebase, reset]);
}
