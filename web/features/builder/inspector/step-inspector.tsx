import { Copy, CopyPlus, FastForward, Play, Trash2 } from "lucide-react";
import type { Problem, Step } from "../../../../contract/graph.ts";
import { findStepType } from "../../../../contract/steps/catalogue.ts";
import type { StepResult } from "../../../api/types.ts";
import type { Draft } from "../../../flow/draft.ts";
import type { StepProgress } from "../../../flow/run-progress.ts";
import { nestedStepIds } from "../../../flow/inner-steps.ts";
import { stepTitle } from "../../../flow/step-summary.ts";
import { JsonView } from "../../../ui/json-view.tsx";
import { modifier } from "../../../ui/keys.ts";
import { StatusChip } from "../../../ui/status.tsx";
import { duration } from "../../../ui/time.ts";
import type { PickValue } from "../placeholders/pick-value.ts";
import { PinnedOutput } from "../run/pinned-output.tsx";
import { ProblemNotice, StepForm } from "./step-form.tsx";
import type { Suggestions } from "./suggestions.ts";
import type { Edit } from "../use-draft.ts";
import type { Pinning } from "../run/use-pins.ts";

export type StepTab = "settings" | "last" | "policy";

export interface StepInspectorProps {
  draft: Draft;
  step: Step;
  edit: Edit;
  problems: readonly Problem[];
  lastResult: StepResult | undefined;
  pinning: Pinning;
  live: StepProgress | undefined;
  /** Stays from step to step: who looks at results looks at the next one's. */
  tab: StepTab;
  onTab: (tab: StepTab) => void;
  suggestions: Suggestions;
  onPick: PickValue;
  onOpenEdge: (edge: string) => void;
  onRemove: () => void;
  onCopy: () => void;
  onDuplicate: () => void;
  onRunThis: () => void;
  onRunFrom: () => void;
  onRenamed: (stepId: string) => void;
}

/** A step beside the canvas: its form, how it went the last time, and what is done when it fails. */
export function StepInspector(props: StepInspectorProps) {
  const { draft, step, edit, problems, lastResult, live, suggestions, onPick, tab } = props;
  const type = findStepType(step.type);
  const inside = nestedStepIds(step);
  const own = problems.filter(
    ({ stepId }) => stepId === step.stepId || (stepId !== undefined && inside.has(stepId)),
  );
  const form = {
    draft,
    step,
    edit,
    problems: own,
    suggestions,
    onPick,
    onOpenEdge: props.onOpenEdge,
    onRenamed: props.onRenamed,
    lastItem: itemOf(lastResult),
  };
  return (
    <div className="stack">
      <div>
        <div className="caps">{type?.title ?? step.type}</div>
        <h2>{stepTitle(step)}</h2>
      </div>
      <div className="row wrap">
        <button
          type="button"
          className="btn tiny"
          onClick={props.onRunThis}
          title="Run this step step, with what came before it in the last run"
        >
          <Play size={13} /> Run this step
        </button>
        <button
          type="button"
          className="btn tiny"
          onClick={props.onRunFrom}
          title="Run this step and all after it, with what came before in the last run"
        >
          <FastForward size={13} /> Run from here
        </button>
        <button type="button" className="btn tiny" onClick={props.onCopy} title={`Copy (${modifier}C)`}>
          <Copy size={13} /> Copy
        </button>
        <button
          type="button"
          className="btn tiny"
          onClick={props.onDuplicate}
          title={`Duplicate (${modifier}D)`}
        >
          <CopyPlus size={13} /> Duplicate
        </button>
        <button type="button" className="btn tiny danger" onClick={props.onRemove}>
          <Trash2 size={13} /> Remove
        </button>
      </div>
      <ProblemNotice problems={own} />
      <div className="tabs" role="tablist" aria-label="Step">
        {(
          [
            ["settings", "Settings"],
            ["last", "Last run"],
            ["policy", "Retries"],
          ] as const
        ).map(([key, label]) => (
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
      <div role="tabpanel" aria-label={tab} className="stack">
        {tab === "settings" && <StepForm {...form} part="settings" />}
        {tab === "policy" && <StepForm {...form} part="policy" />}
        {tab === "last" && (
          <>
            <LastResult result={lastResult} live={live} />
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

/** The first item that a loop went through: what its steps get looks like this. */
function itemOf(result: StepResult | undefined): unknown {
  const items = (result?.input as { items?: unknown } | null | undefined)?.items;
  return Array.isArray(items) ? (items[0] as unknown) : undefined;
}

function LastResult({ result, live }: { result: StepResult | undefined; live: StepProgress | undefined }) {
  if (live !== undefined && live.endedAt === null)
    return (
      <div className="row">
        <StatusChip status={live.status} />
      </div>
    );
  if (result === undefined)
    return (
      <p className="small muted">
        This step has not run yet. Run the workflow, and what went in and came out stands here.
      </p>
    );
  return (
    <>
      <div className="row">
        <StatusChip status={result.status} />
        <span className="small muted">{duration(result.durationMs)}</span>
      </div>
      {result.error !== null && <div className="notice bad">{result.error.message}</div>}
      <div className="stack tight">
        <b className="small">Output</b>
        <JsonView value={result.output} />
      </div>
      <div className="stack tight">
        <b className="small">Input</b>
        <JsonView value={result.input} />
      </div>
    </>
  );
}
