import { X } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useVersion } from "../../../api/workflows.ts";
import { compareGraphs } from "../../../flow/compare-graphs.ts";
import { type Draft, draftOf } from "../../../flow/draft.ts";
import { changedSteps, draftChanges, overlaidGraph } from "../../../flow/draft-changes.ts";
import { Failure, Skeleton } from "../../../ui/states.tsx";
import { ReadOnlyCanvas } from "../../canvas/read-only-canvas.tsx";
import { ChangeList } from "../publish/change-list.tsx";
import { countOf } from "../publish/count-of.ts";
import type { BuilderState, Comparison } from "../use-builder.ts";
import { ComparedVersions, sideLabel } from "./compared-versions.tsx";
import { FieldDiffs } from "./field-diffs.tsx";

interface DiffCanvasProps {
  comparison: Comparison;
  builder: BuilderState;
}

/** Two versions, or a version and the draft: the later graph with a flag on every step that differs, and the changes in words. */
export function DiffCanvas({ comparison, builder }: DiffCanvasProps) {
  const { workflow, history, compare } = builder;
  const { from, to } = comparison;
  const older = useVersion(workflow.id, from);
  const newer = useVersion(workflow.id, to === "draft" ? undefined : to);
  const before = useMemo(() => older.data && draftOf(older.data), [older.data]);
  const version = useMemo(() => newer.data && draftOf(newer.data), [newer.data]);
  const after = to === "draft" ? history.draft : version;
  const error = older.error ?? newer.error;
  const isLoaded = before !== undefined && after !== undefined;
  return (
    <>
      {isLoaded && <DiffGraph comparison={comparison} before={before} after={after} />}
      <section className="float diff-bar" aria-label="Comparison">
        <header>
          <h2 className="grow">Compare</h2>
          <button type="button" className="btn tiny" onClick={() => compare(undefined)}>
            <X size={13} /> Back to the editor
          </button>
        </header>
        <ComparedVersions comparison={comparison} builder={builder} />
        {error !== null && <Failure error={error} />}
        {isLoaded ? <Differences before={before} after={after} /> : error === null && <Skeleton rows={2} />}
      </section>
    </>
  );
}

interface Graphs {
  before: Draft;
  after: Draft;
}

function DiffGraph({ comparison: { from, to }, before, after }: Graphs & { comparison: Comparison }) {
  const graph = useMemo(() => overlaidGraph(before, after), [before, after]);
  const flags = useMemo(() => changedSteps(draftChanges(before, after)), [before, after]);
  const label = `${sideLabel(from)} compared with ${sideLabel(to)}`;
  return <ReadOnlyCanvas key={label} graph={graph} flags={flags} label={label} />;
}

function Differences({ before, after }: Graphs) {
  const changes = useMemo(() => draftChanges(before, after), [before, after]);
  const fields = useMemo(
    () => new Map(compareGraphs(before, after).steps.map((step) => [step.stepId, step.fields])),
    [before, after],
  );
  function detailsOf(stepId: string): ReactNode {
    const type = after.steps.find((step) => step.stepId === stepId)?.type;
    // That a step was disabled is said in its line.
    const changed = (fields.get(stepId) ?? []).filter(({ name }) => name !== "disabled");
    return type !== undefined && changed.length > 0 && <FieldDiffs type={type} fields={changed} />;
  }
  return (
    <>
      {changes.length > 0 && <p className="diff-count small muted">{countOf(changes.length, "change")}</p>}
      <ChangeList changes={changes} emptyText="No differences." detailsOf={detailsOf} />
    </>
  );
}
