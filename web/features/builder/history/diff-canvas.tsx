import { X } from "lucide-react";
import { useMemo } from "react";
import type { Draft } from "../../../flow/draft.ts";
import { changedSteps, draftChanges, overlaidGraph } from "../../../flow/draft-changes.ts";
import { ReadOnlyCanvas } from "../../canvas/read-only-canvas.tsx";
import { ChangeList } from "../publish/change-list.tsx";
import { countOf } from "../publish/count-of.ts";
import type { Comparison } from "../use-builder.ts";

interface DiffCanvasProps {
  comparison: Comparison;
  draft: Draft;
  onClose: () => void;
}

/** The draft with a flag on every step that differs from an older version. */
export function DiffCanvas({ comparison: { title, before }, draft, onClose }: DiffCanvasProps) {
  const changes = useMemo(() => draftChanges(before, draft), [before, draft]);
  const graph = useMemo(() => overlaidGraph(before, draft), [before, draft]);
  const flags = useMemo(() => changedSteps(changes), [changes]);
  return (
    <>
      <ReadOnlyCanvas key={title} graph={graph} flags={flags} label={`${title} compared with the draft`} />
      <section className="float diff-bar" aria-label="Comparison">
        <header>
          <b className="grow">
            {title} → draft · {countOf(changes.length, "change")}
          </b>
          <button type="button" className="btn tiny" onClick={onClose}>
            <X size={13} /> Back to the editor
          </button>
        </header>
        <ChangeList changes={changes} emptyText="No differences." />
      </section>
    </>
  );
}
