import { Copy, CopyPlus, FastForward, Play, Trash2 } from "lucide-react";
import type { Problem, Step } from "../../../../contract/graph.ts";
import { findStepType } from "../../../../contract/steps/catalogue.ts";
import type { StepResult } from "../../../api/types.ts";
import type { Draft } from "../../../flow/draft.ts";
import { nestedStepIds } from "../../../flow/inner-steps.ts";
import type { StepProgress } from "../../../flow/run-progress.ts";
import { stepTitle } from "../../../flow/step-summary.ts";
import { modifier } from "../../../ui/shortcuts.ts";
import type { PickValue } from "../placeholders/value-picker.tsx";
import { LastResult } from "../run/last-result.tsx";
import { PinnedOutput } from "../run/pinned-output.tsx";
import type { Pinning } from "../run/use-pins.ts";
import type { Edit } from "../use-draft.ts";
import { ProblemNotice, StepForm } from "./step-form.tsx";
import type { Suggestions } from "./suggestions.ts";

const TABS = [
  ["settings", "Settings"],
  ["last", "Last run"],
  ["policy", "Retries"],
] as const;
export type StepTab = (typeof TABS)[number][0];

interface StepActionsProps {
  onRunThis: () => void;
  onRunFrom: () => void;
  onCopy: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

interface StepInspectorProps {
  draft: Draft;
  step: Step;
  edit: Edit;
  problems: readonly Problem[];
  lastResult: StepResult | undefined;
  pinning: Pinning;
  live: StepProgress | undefined;
  /** Held by the builder, so that the tab stays open when another step is selected. */
  tab: StepTab;
  onTab: (tab: StepTab) => void;
  suggestions: Suggestions;
  onPick: PickValue;
  onOpenEdge: (edge: string) => void;
  onRenamed: (stepId: string) => void;
  actions: StepActionsProps;
}

/** The selected step: its form, its last result and its retry policy. */
export function StepInspector(props: StepInspectorProps) {
  const { draft, step, edit, problems, lastResult, suggestions, onPick, tab } = props;
  const nested = nestedStepIds(step);
  const ownProblems = problems.filter(
    ({ stepId }) => stepId === step.stepId || (stepId !== undefined && nested.has(stepId)),
  );
  const form = {
    draft,
    step,
    edit,
    problems: ownProblems,
    suggestions,
    onPick,
    onOpenEdge: props.onOpenEdge,
    onRenamed: props.onRenamed,
  };
  return (
    <div className="stack">
      <div>
        <div className="caps">{findStepType(step.type)?.title ?? step.type}</div>
        <h2>{stepTitle(step)}</h2>
      </div>
      <StepActions {...props.actions} />
      <ProblemNotice problems={ownProblems} />
      <div className="tabs" role="tablist" aria-label="Step">
        {TABS.map(([key, label]) => (
          <button
            key={key}
            type="button"
            role="tab"
            aria-selected={tab === key}
            onClick={() => props.onTab(key)}
          >
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-label={TABS.find(([key]) => key === tab)?.[1]} className="stack">
        {tab === "settings" && <StepForm {...form} part="settings" />}
        {tab === "policy" && <StepForm {...form} part="policy" />}
        {tab === "last" && (
          <>
            <LastResult result={lastResult} live={props.live} />
            <PinnedOutput
              key={step.stepId}
              stepId={step.stepId}
              lastOutput={lastResult?.output}
              pinning={props.pinning}
            />
          </>
        )}
      </div>
    </div>
  );
}

function StepActions({ onRunThis, onRunFrom, onCopy, onDuplicate, onDelete }: StepActionsProps) {
  return (
    <div className="row wrap">
      <button
        type="button"
        className="btn tiny"
        onClick={onRunThis}
        title="Run this step with the outputs of the last run"
      >
        <Play size={13} /> Run this step
      </button>
      <button
        type="button"
        className="btn tiny"
        onClick={onRunFrom}
        title="Run this step and all steps after it with the outputs of the last run"
      >
        <FastForward size={13} /> Run from here
      </button>
      <button type="button" className="btn tiny" onClick={onCopy} title={`Copy (${modifier}C)`}>
        <Copy size={13} /> Copy
      </button>
      <button type="button" className="btn tiny" onClick={onDuplicate} title={`Duplicate (${modifier}D)`}>
        <CopyPlus size={13} /> Duplicate
      </button>
      <button type="button" className="btn tiny danger" onClick={onDelete}>
        <Trash2 size={13} /> Delete
      </button>
    </div>
  );
}

/** The first item of a foreach's last run: a sample of what `{{item}}` contains. */
export function firstItemOf(result: StepResult | undefined): unknown {
  const items = (result?.input as { items?: unknown } | null | undefined)?.items;
  return Array.isArray(items) ? (items[0] as unknown) : undefined;
}
