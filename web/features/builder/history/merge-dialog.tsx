import { useMemo, useState } from "react";
import type { Step } from "../../../../contract/graph.ts";
import type { Workflow } from "../../../api/types.ts";
import type { Draft } from "../../../flow/draft.ts";
import { type Choice, mergeGraphs } from "../../../flow/merge-graphs.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { GraphChanges } from "./graph-changes.tsx";
import "./versions.css";

interface MergeDialogProps {
  base: Draft;
  mine: Draft;
  theirs: Workflow;
  onMerged: (draft: Draft) => void;
  onClose: () => void;
}

/** Edited in two places: what does not touch is joined, and only the rest is asked. */
export function MergeDialog({ base, mine, theirs, onMerged, onClose }: MergeDialogProps) {
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const merge = useMemo(
    () => mergeGraphs(base, mine, theirs.metadata, choices),
    [base, mine, theirs, choices],
  );
  const name = mine.name === base.name ? theirs.name : mine.name;
  const description = mine.description === base.description ? theirs.description : mine.description;
  return (
    <Dialog title="This workflow was changed elsewhere" onClose={onClose} wide>
      <p>
        Version {theirs.version} was saved while you were editing. Nothing of yours is lost. Steps that only
        one of you touched are joined already
        {merge.conflicts.length > 0 ? "; choose for the rest." : "."}
      </p>
      {merge.conflicts.map((conflict) => {
        const choice = choices.get(conflict.stepId) ?? "theirs";
        return (
          <fieldset key={conflict.stepId} className="conflict card flat pad">
            <legend>
              <code>{conflict.stepId}</code>
            </legend>
            {(["mine", "theirs"] as const).map((side) => (
              <label key={side} className={`conflict-side${choice === side ? " chosen" : ""}`}>
                <span className="row">
                  <input
                    type="radio"
                    name={`conflict-${conflict.stepId}`}
                    checked={choice === side}
                    onChange={() => setChoices(new Map(choices).set(conflict.stepId, side))}
                  />
                  <b>{side === "mine" ? "Yours" : "Saved"}</b>
                </span>
                <pre className="code">{stepText(conflict[side])}</pre>
              </label>
            ))}
          </fieldset>
        );
      })}
      <details>
        <summary>What the joined workflow changes in version {theirs.version}</summary>
        <GraphChanges before={theirs.metadata} after={merge.graph} />
      </details>
      <div className="actions">
        <button
          type="button"
          className="btn"
          onClick={() => onMerged({ ...theirs.metadata, name: theirs.name, description: theirs.description })}
        >
          Take the saved one
        </button>
        <button type="button" className="btn" onClick={() => onMerged(mine)}>
          Take mine
        </button>
        <button
          type="button"
          className="btn go"
          onClick={() => onMerged({ ...merge.graph, name, description })}
        >
          Save the joined one
        </button>
      </div>
    </Dialog>
  );
}

function stepText(step: Step | undefined): string {
  if (step === undefined) return "removed";
  const { position: _position, ...shown } = step;
  return JSON.stringify(shown, null, 2);
}
