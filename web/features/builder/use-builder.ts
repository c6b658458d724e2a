import { useEffect, useMemo, useRef, useState } from "react";
import type { WorkflowDraft } from "../../api/drafts.ts";
import type { Workflow } from "../../api/types.ts";
import { completenessOf } from "../../flow/complete-part.ts";
import { draftOf } from "../../flow/draft.ts";
import { draftChanges } from "../../flow/draft-changes.ts";
import type { TriggerProposal } from "../../flow/trigger-proposal.ts";
import { selectStep } from "../../flow/selection.ts";
import { useLiveRun } from "../runs/use-live-run.ts";
import { useAppsOf } from "./apps/use-samples.ts";
import { useGraphCommands } from "./canvas/use-graph-commands.ts";
import type { StepTab } from "./inspector/step-panel.tsx";
import { useConflicts } from "./history/use-conflicts.ts";
import { readLocalDraft } from "./local-draft.ts";
import { usePublishing } from "./publish/use-publishing.ts";
import { useTriggers } from "./triggers/use-triggers.ts";
import { usePinCommand } from "./run/use-pin-command.ts";
import { usePinnedInput } from "./run/use-pinned-input.ts";
import { usePins } from "./run/use-pins.ts";
import { useRenames } from "./run/use-renames.ts";
import { useKnownResults, useRunCommands } from "./run/use-run-commands.ts";
import { savedOf, useAutosave } from "./use-autosave.ts";
import { useDraft, useValidation } from "./use-draft.ts";
import { usePanels } from "./use-panels.ts";
import { useMay } from "../../api/permissions.ts";

/** Everything the builder knows and can do; its parts are views over this. */
export type BuilderState = ReturnType<typeof useBuilder>;

export function useBuilder(workflow: Workflow, serverDraft: WorkflowDraft | null) {
  const isReadOnly = !useMay()("saveDraft");
  const initial = useInitialDraft(workflow, serverDraft, isReadOnly);
  const history = useDraft(() => initial.draft, isReadOnly);
  const { draft } = history;
  const validated = useValidation(draft, workflow, useAppsOf(draft));
  const conflicts = useConflicts(history);
  const autosave = useAutosave({ workflow, draft, initial: initial.saved, onConflict: conflicts.resolve });
  conflicts.rebaseWith.current = autosave.rebase;
  const publishing = usePublishing({ workflow, history, autosave, conflicts });
  const changes = useMemo(() => draftChanges(draftOf(workflow), draft), [workflow, draft]);
  const panels = usePanels(initial.draft);
  const { selection, setSelection, openPanel, closePanel } = panels;
  const [comparison, setComparison] = useState<Comparison>();
  const [tab, setTab] = useState<StepTab>("settings");
  const [runId, setRunId] = useState<string>();
  const [proposedTrigger, setProposedTrigger] = useState<TriggerProposal>();

  const live = useLiveRun(runId);
  const pinning = usePins(workflow.id);
  const pinnedInput = usePinnedInput(workflow.id);
  const { errors } = validated.validation;
  const completeness = useMemo(
    () => completenessOf(draft, errors, new Set(pinning.pins.keys())),
    [draft, errors, pinning.pins],
  );
  const { renames, rename } = useRenames();
  const known = useKnownResults(workflow.id, runId, pinning.pins, renames, pinnedInput.input);
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
    closePanel,
    onAdded: () => setTab("settings"),
  });
  const runs = useRunCommands({
    workflow,
    draft,
    selection,
    autosave,
    known,
    completeness,
    pins: pinning.pins,
    hasPinnedInput: pinnedInput.input !== undefined,
    askForInput: () => openPanel("run"),
    onIncomplete(stepId) {
      setTab("settings");
      setSelection(selectStep(stepId));
    },
    onStarted(taskId) {
      setRunId(taskId);
      // A user who runs a step while its form is open wants to see the output next.
      setTab("output");
    },
  });
  const pin = usePinCommand({ selection, pinning, known });
  useRemoteChanges(workflow, serverDraft, history, autosave);

  return {
    workflow,
    triggers,
    history,
    ...validated,
    completeness,
    autosave,
    conflicts,
    publishing,
    /** What publishing changes. */
    changes,
    comparison,
    compare: setComparison,
    ...panels,
    /** Fills the form of the new trigger. */
    proposedTrigger,
    setProposedTrigger,
    tab,
    setTab,
    live,
    openRun: setRunId,
    closeRun: () => setRunId(undefined),
    known,
    pinning,
    pinnedInput,
    onRenamed,
    commands: { ...commands, ...runs, ...pin },
  };
}

/** The version and the later state of the workflow that the canvas compares. */
export interface Comparison {
  from: number;
  to: number | "draft";
}

/** An unsaved draft of the last visit takes precedence over the saved one. */
function useInitialDraft(workflow: Workflow, serverDraft: WorkflowDraft | null, isReadOnly: boolean) {
  const [initial] = useState(() => {
    const local = isReadOnly ? undefined : readLocalDraft(workflow.id);
    if (local !== undefined) return { draft: local.draft, saved: local.base };
    const saved = savedOf(workflow, serverDraft);
    return { draft: saved.draft, saved };
  });
  return initial;
}

/** Adopts what was saved or published elsewhere. With local edits it does nothing: the next save reports the conflict. */
function useRemoteChanges(
  workflow: Workflow,
  serverDraft: WorkflowDraft | null,
  { reset }: ReturnType<typeof useDraft>,
  { rebase, current, state }: ReturnType<typeof useAutosave>,
): void {
  const isClean = state.kind === "saved";
  const seen = useRef({ workflow, serverDraft });
  useEffect(() => {
    const before = seen.current;
    seen.current = { workflow, serverDraft };
    // Only what has just arrived: a response from before the page's own save must not undo it.
    if (!isClean || (before.workflow === workflow && before.serverDraft === serverDraft)) return;
    const theirs = savedOf(workflow, serverDraft);
    const { revision, baseVersion } = current();
    const isNewer =
      serverDraft === null ? workflow.version > baseVersion : serverDraft.revision > (revision ?? 0);
    if (!isNewer) return;
    rebase(theirs);
    reset(theirs.draft);
  }, [workflow, serverDraft, isClean, rebase, current, reset]);
}
