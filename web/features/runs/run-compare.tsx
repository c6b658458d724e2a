import { ArrowLeftRight, Link2 } from "lucide-react";
import { useMemo, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { messageOf } from "../../api/api-error.ts";
import { useTask } from "../../api/tasks.ts";
import type { Task } from "../../api/types.ts";
import { useVersion, useWorkflowName } from "../../api/workflows.ts";
import { compareRuns, keyOfText, valueOf } from "../../flow/compare-runs.ts";
import { runLabel, versionLabel } from "../../flow/run-label.ts";
import { stepTitle } from "../../flow/step-summary.ts";
import { copyText } from "../../ui/clipboard.ts";
import { Screen } from "../../ui/screen.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Loaded } from "../../ui/states.tsx";
import { draftChanges } from "../../flow/draft-changes.ts";
import { Switch } from "../../ui/switch.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { ChangeList } from "../builder/publish/change-list.tsx";
import { CompareSide } from "./compare-side.tsx";
import { DiffBlock, type DiffLayout } from "./diff-block.tsx";
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
  const [layout, setLayout] = useState<DiffLayout>("split");
  const keyOf = keyOfText(ignores);
  const isSameWorkflow = before.workflowId === after.workflowId;
  const steps = useMemo(
    () => (isSameWorkflow ? compareRuns(before, after, keyOfText(ignores)) : []),
    [isSameWorkflow, before, after, ignores],
  );
  const [oldVersion, newVersion] = [
    useVersion(before.workflowId, before.workflowVersion).data,
    useVersion(after.workflowId, after.workflowVersion).data,
  ];
  const titles = new Map(
    [...(oldVersion?.metadata.steps ?? []), ...(newVersion?.metadata.steps ?? [])].map((step) => [
      step.stepId,
      stepTitle(step),
    ]),
  );
  const differing = steps.filter(({ differs }) => differs);
  const shown = onlyDifferences ? differing : steps;
  useShortcuts({
    j: () => walk(1),
    k: () => walk(-1),
    s: () => setLayout(layout === "split" ? "unified" : "split"),
  });
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
      actions={
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
          <button
            type="button"
            className="btn"
            onClick={() => setSearch({ a: after.id, b: before.id }, { replace: true })}
          >
            <ArrowLeftRight size={14} /> Swap A and B
          </button>
        </>
      }
    >
      <div className="cmp">
        <aside className="cmp-list" aria-label="Steps">
          <div className="row">
            <b className="small grow">{steps.length} steps</b>
            <Switch label="Only differences" checked={onlyDifferences} onChange={setOnlyDifferences} />
          </div>
          <ul className="plain-list">
            {shown.map(({ stepId, summary, differs }) => (
              <li key={stepId}>
                <a className="cmp-step" href={`#step-${stepId}`}>
                  <span className="grow ellipsis">{titles.get(stepId) ?? stepId}</span>
                  <span className={differs ? "cmp-what" : "muted"}>{summary}</span>
                </a>
              </li>
            ))}
          </ul>
          {onlyDifferences && steps.length > differing.length && (
            <p className="cmp-fold">{equalSteps(steps.length - differing.length)} hidden</p>
          )}
          {oldVersion !== undefined &&
            newVersion !== undefined &&
            oldVersion.version !== newVersion.version && (
              <section className="stack tight" aria-label="Changes of the workflow">
                <b className="small">
                  Workflow changed {versionLabel(before.workflowVersion)} →{" "}
                  {versionLabel(after.workflowVersion)}
                </b>
                <ChangeList
                  changes={draftChanges(oldVersion.metadata, newVersion.metadata)}
                  emptyText="Only the layout changed."
                />
              </section>
            )}
        </aside>
        <div className="cmp-main">
          <div className="cmp-heads">
            <CompareSide letter="A" task={before} onPick={(a) => setSearch({ a, b: after.id })} />
            <CompareSide letter="B" task={after} onPick={(b) => setSearch({ a: before.id, b })} />
          </div>
          {isSameWorkflow ? (
            <>
              <div className="row wrap">
                <Segments
                  label="Layout"
                  value={layout}
                  onChange={setLayout}
                  options={[
                    { value: "split", label: "Split" },
                    { value: "unified", label: "Unified" },
                  ]}
                />
                <Switch label="Ignore times and ids" checked={ignores} onChange={setIgnores} />
                <span className="grow" />
                <span className="small muted wide-only">
                  <kbd>J</kbd> <kbd>K</kbd> next difference, <kbd>S</kbd> split or unified
                </span>
              </div>
              <DiffBlock
                id="input"
                title="Input"
                before={before.input}
                after={after.input}
                keyOf={keyOf}
                layout={layout}
                isHidden={onlyDifferences}
              />
              {shown.map((step) => (
                <DiffBlock
                  key={step.stepId}
                  id={`step-${step.stepId}`}
                  title={titles.get(step.stepId) ?? step.stepId}
                  detail={step.before?.error != null || step.after?.error != null ? "error" : "output"}
                  before={valueOf(step.before)}
                  after={valueOf(step.after)}
                  results={[step.before, step.after]}
                  keyOf={keyOf}
                  layout={layout}
                />
              ))}
              {differing.length === 0 && <p className="muted">Both runs have the same results.</p>}
            </>
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

function equalSteps(count: number): string {
  return count === 1 ? "1 equal step" : `${count} equal steps`;
}

/** Moves the focus to the next or previous block. */
function walk(by: 1 | -1): void {
  const blocks = [...document.querySelectorAll<HTMLElement>(".diff-block")];
  const at = blocks.findIndex((block) => block === document.activeElement);
  const next = blocks[at < 0 ? (by === 1 ? 0 : blocks.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
