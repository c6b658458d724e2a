import { useMemo, useState } from "react";
import type { Step } from "../../../../contract/graph.ts";
import type { Draft } from "../../../flow/draft.ts";
import { draftChanges } from "../../../flow/draft-changes.ts";
import { type Choice, type Conflict, mergeGraphs } from "../../../flow/merge-graphs.ts";
import { stepTitle } from "../../../../contract/graph/step-titles.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ChangeList } from "../publish/change-list.tsx";
import { mergeNames, type SaveConflict } from "./use-conflicts.ts";
import "./versions.css";

interface MergeDialogProps {
  conflict: SaveConflict;
  mine: Draft;
  onMerged: (draft: Draft) => void;
  onClose: () => void;
}

/** Resolves a conflict: changes to different fields merge by themselves, the user decides the rest. */
export function MergeDialog({ conflict: { base, theirs }, mine, onMerged, onClose }: MergeDialogProps) {
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const merge = useMemo(() => mergeGraphs(base, mine, theirs.draft, choices), [base, mine, theirs, choices]);
  const merged: Draft = { ...merge.graph, ...mergeNames(base, mine, theirs.draft) };
  return (
    <Dialog title="This workflow was changed elsewhere" onClose={onClose} wide>
      <p>
        It was saved elsewhere while you were editing. Your changes are not lost. Changes to different fields
        are merged automatically; choose a version for the others.
      </p>
      {merge.conflicts.map((conflict) => (
        <ConflictChoice
          key={conflict.stepId}
          conflict={conflict}
          choice={choices.get(conflict.stepId) ?? "theirs"}
          onChoose={(choice) => setChoices(new Map(choices).set(conflict.stepId, choice))}
        />
      ))}
      <details>
        <summary>Changes compared with the saved version</summary>
        <ChangeList changes={draftChanges(theirs.draft, merged)} emptyText="No changes." />
      </details>
      <div className="actions">
        <button type="button" className="btn" onClick={() => onMerged(theirs.draft)}>
          Use saved version
        </button>
        <button type="button" className="btn" onClick={() => onMerged(mine)}>
          Use my version
        </button>
        <button type="button" className="btn go" onClick={() => onMerged(merged)}>
          Save merged version
        </button>
      </div>
    </Dialog>
  );
}

interface ConflictChoiceProps {
  conflict: Conflict;
  choice: Choice;
  onChoose: (choice: Choice) => void;
}

/** The fields of one step that both changed, side by side. */
function ConflictChoice({ conflict, choice, onChoose }: ConflictChoiceProps) {
  const step = conflict.mine ?? conflict.theirs;
  return (
    <fieldset className="conflict card flat pad">
      <legend>{step === undefined ? conflict.stepId : stepTitle(step)}</legend>
      {(["mine", "theirs"] as const).map((side) => (
        <label key={side} className={`conflict-side${choice === side ? " selected" : ""}`}>
          <span className="row">
            <input
              type="radio"
              name={`conflict-${conflict.stepId}`}
              checked={choice === side}
              onChange={() => onChoose(side)}
            />
            <b>{side === "mine" ? "Your version" : "Saved version"}</b>
          </span>
          <pre className="code">{fieldsText(conflict[side], conflict.fields)}</pre>
        </label>
      ))}
    </fieldset>
  );
}

function fieldsText(step: Step | undefined, fields: readonly string[]): string {
  if (step === undefined) return "deleted";
  const shown = fields.length === 0 ? Object.keys(step).filter((name) => name !== "position") : fields;
  return JSON.stringify(Object.fromEntries(shown.map((name) => [name, step[name]])), null, 2);
}
