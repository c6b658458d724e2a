import { useMemo, useState } from "react";
import type { Step } from "../../../../contract/graph.ts";
import type { Workflow } from "../../../api/types.ts";
import { type Draft, draftOf } from "../../../flow/draft.ts";
import { type Choice, type Conflict, mergeGraphs } from "../../../flow/merge-graphs.ts";
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

/** Resolves a save conflict: changes to different steps merge by themselves, the user decides the rest. */
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
        Version {theirs.version} was saved while you were editing. Your changes are not lost. Changes to
        different steps are merged automatically
        {merge.conflicts.length > 0 ? "; choose a version for the other steps." : "."}
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
        <summary>Changes compared with version {theirs.version}</summary>
        <GraphChanges before={theirs.metadata} after={merge.graph} />
      </details>
      <div className="actions">
        <button type="button" className="btn" onClick={() => onMerged(draftOf(theirs))}>
          Use saved version
        </button>
        <button type="button" className="btn" onClick={() => onMerged(mine)}>
          Use my version
        </button>
        <button
          type="button"
          className="btn go"
          onClick={() => onMerged({ ...merge.graph, name, description })}
        >
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

/** Both versions of one step side by side. */
function ConflictChoice({ conflict, choice, onChoose }: ConflictChoiceProps) {
  return (
    <fieldset className="conflict card flat pad">
      <legend>
        <code>{conflict.stepId}</code>
      </legend>
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
          <pre className="code">{stepText(conflict[side])}</pre>
        </label>
      ))}
    </fieldset>
  );
}

function stepText(step: Step | undefined): string {
  if (step === undefined) return "deleted";
  const { position: _position, ...shown } = step;
  return JSON.stringify(shown, null, 2);
}
