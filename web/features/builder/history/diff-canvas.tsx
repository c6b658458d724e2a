import { X } from "lucide-react";
import { useMemo } from "react";
import { compareGraphs } from "../../../flow/compare-graphs.ts";
import type { Draft } from "../../../flow/draft.ts";
import { changedSteps, draftChanges, overlaidGraph } from "../../../flow/draft-changes.ts";
import { ReadOnlyCanvas } from "../../canvas/read-only-canvas.tsx";
import { ChangeList } from "../publish/change-list.tsx";
import { countOf } from "../publish/count-of.ts";
import { FieldDiffs } from "./field-diffs.tsx";
import type { Comparison } from "../use-builder.ts";

interface DiffCanvasProps {
  comparison: Comparison;
  draft: Draft;
  /** What the draft is: "draft", or the live version while nothing is changed. */
  against: string;
  onClose: () => void;
}

/** The draft with a flag on every step that differs from an older version. */
export function DiffCanvas({ comparison: { title, before }, draft, against, onClose }: DiffCanvasProps) {
  const changes = useMemo(() => draftChanges(before, draft), [before, draft]);
  const graph = useMemo(() => overlaidGraph(before, draft), [before, draft]);
  const fields = useMemo(
    () => new Map(compareGraphs(before, draft).steps.map((step) => [step.stepId, step.fields])),
    [before, draft],
  );
  const flags = useMemo(() => changedSteps(changes), [changes]);
  return (
    <>
      <ReadOnlyCanvas key={title} graph={graph} flags={flags} label={`${title} compared with ${against}`} />
      <section className="float diff-bar" aria-label="Comparison">
        <header>
          <b className="grow">
            {title} → {against} · {countOf(changes.length, "change")}
          </b>
          <button type="button" className="btn tiny" onClick={onClose}>
            <X size={13} /> Back to the editor
          </button>
        </header>
        <ChangeList
          changes={changes}
          emptyText="No differences."
          detailsOf={(stepId) => <FieldDiffs fields={fields.get(stepId) ?? []} />}
        />
      </section>
    </>
  );
}
