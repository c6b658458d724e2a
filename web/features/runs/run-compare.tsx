import { ArrowLeftRight, Link2 } from "lucide-react";
import { useMemo, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { messageOf } from "../../api/api-error.ts";
import { useTask } from "../../api/tasks.ts";
import type { Task, WorkflowVersion } from "../../api/types.ts";
import { useVersion, useWorkflowName } from "../../api/workflows.ts";
import { compareRuns, keyOfText, type StepDifference } from "../../flow/compare-runs.ts";
import { draftChanges } from "../../flow/draft-changes.ts";
import { runLabel, versionLabel } from "../../flow/run-label.ts";
import { stepTitle } from "../../../contract/graph/step-titles.ts";
import { copyText } from "../../ui/clipboard.ts";
import { Screen } from "../../ui/screen.tsx";
import { Loaded } from "../../ui/states.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { ChangeList } from "../builder/publish/change-list.tsx";
import { CompareSide } from "./compare-side.tsx";
import { Differences } from "./differences.tsx";
import "./compare.css";

/** Two runs of one workflow: what differs, step by step. */
export function RunCompare() {
  const [search] = useSearchParams();
  const left = useTask(search.get("a") ?? undefined);
  const right = useTask(search.get("b") ?? undefined);
  if (left.data !== undefined && right.data !== undefined)
    return <Comparison before={left.data} after={right.data} />;
  const waiting = left.data === undefined ? left : right;
  return (
    <Screen title="Compare runs" breadcrumbs={<Link href="/runs">Runs</Link>}>
      <div className="page">
        <Loaded query={{ ...waiting, data: undefined }}>{() => null}</Loaded>
      </div>
    </Screen>
  );
}

function Comparison({ before, after }: { before: Task; after: Task }) {
  const [, setSearch] = useSearchParams();
  const nameOf = useWorkflowName();
  const [onlyDifferences, setOnlyDifferences] = useState(true);
  const [ignores, setIgnores] = useState(true);
  const isSameWorkflow = before.workflowId === after.workflowId;
  const steps = useMemo(
    () => (isSameWorkflow ? compareRuns(before, after, keyOfText(ignores)) : []),
    [isSameWorkflow, before, after, ignores],
  );
  const oldVersion = useVersion(before.workflowId, before.workflowVersion).data;
  const newVersion = useVersion(after.workflowId, after.workflowVersion).data;
  const titles = titlesOf([oldVersion, newVersion]);
  const differing = steps.filter(({ differs }) => differs);
  const shown = onlyDifferences ? differing : steps;
  return (
    <Screen
      title={`Compare ${runLabel(before.id)} with ${runLabel(after.id)}`}
      breadcrumbs={
        <>
          <Link href="/runs">Runs</Link> /{" "}
          <span className="run-crumb ellipsis">{nameOf(after.workflowId)}</span> /{" "}
        </>
      }
      titleInfo={
        <span className="muted small wide-only">
          {differing.length} of {steps.length} steps differ
        </span>
      }
      actions={<CompareActions onSwap={() => setSearch({ a: after.id, b: before.id }, { replace: true })} />}
    >
      <div className="cmp">
        <aside className="cmp-list" aria-label="Steps">
          <div className="row">
            <b className="small grow">{steps.length} steps</b>
            <Switch label="Only differences" checked={onlyDifferences} onChange={setOnlyDifferences} />
          </div>
          <StepLinks steps={shown} titles={titles} />
          {onlyDifferences && steps.length > differing.length && (
            <p className="cmp-fold">{equalSteps(steps.length - differing.length)} hidden</p>
          )}
          <WorkflowChanges before={oldVersion} after={newVersion} />
        </aside>
        <div className="cmp-main">
          <div className="cmp-heads">
            <CompareSide letter="A" task={before} onPick={(a) => setSearch({ a, b: after.id })} />
            <CompareSide letter="B" task={after} onPick={(b) => setSearch({ a: before.id, b })} />
          </div>
          {isSameWorkflow ? (
            <Differences
              before={before}
              after={after}
              steps={shown}
              titles={titles}
              hidesEqual={onlyDifferences}
              ignores={ignores}
              onIgnores={setIgnores}
            />
          ) : (
            <div className="notice">
              These runs belong to different workflows, {nameOf(before.workflowId)} and{" "}
              {nameOf(after.workflowId)}. Only runs of the same workflow can be compared.
            </div>
          )}
        </div>
      </div>
    </Screen>
  );
}

function titlesOf(versions: readonly (WorkflowVersion | undefined)[]): ReadonlyMap<string, string> {
  const steps = versions.flatMap((version) => version?.metadata.steps ?? []);
  return new Map(steps.map((step) => [step.stepId, stepTitle(step)]));
}

function CompareActions({ onSwap }: { onSwap: () => void }) {
  return (
    <>
      <button
        type="button"
        className="btn ghost wide-only"
        onClick={() =>
          void copyText(location.href)
            .then(() => showToast("Link copied."))
            .catch((error: unknown) => showToast(messageOf(error)))
        }
      >
        <Link2 size={14} /> Copy link
      </button>
      <button type="button" className="btn" onClick={onSwap}>
        <ArrowLeftRight size={14} /> Swap A and B
      </button>
    </>
  );
}

interface StepLinksProps {
  steps: readonly StepDifference[];
  /** By step id. */
  titles: ReadonlyMap<string, string>;
}

function StepLinks({ steps, titles }: StepLinksProps) {
  return (
    <ul className="plain-list">
      {steps.map(({ stepId, summary, differs }) => (
        <li key={stepId}>
          <a className="cmp-step" href={`#step-${stepId}`}>
            <span className="grow ellipsis">{titles.get(stepId) ?? stepId}</span>
            <span className={differs ? "cmp-what" : "muted"}>{summary}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Shown when the runs ran different versions. */
function WorkflowChanges(props: { before: WorkflowVersion | undefined; after: WorkflowVersion | undefined }) {
  const { before, after } = props;
  if (before === undefined || after === undefined || before.version === after.version) return null;
  return (
    <section className="stack tight" aria-label="Changes of the workflow">
      <b className="small">
        Workflow changed {versionLabel(before.version)} → {versionLabel(after.version)}
      </b>
      <ChangeList
        changes={draftChanges(before.metadata, after.metadata)}
        emptyText="Only the layout changed."
      />
    </section>
  );
}

function equalSteps(count: number): string {
  return count === 1 ? "1 equal step" : `${count} equal steps`;
}
