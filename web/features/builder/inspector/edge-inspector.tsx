import { Trash2 } from "lucide-react";
import { traitsOf } from "../../../../contract/steps/catalogue.ts";
import { type Draft, edgeKey, removeEdges, updateEdge } from "../../../flow/draft.ts";
import { parseValue, formatValue } from "../../../flow/form-fields.ts";
import { stepTitle } from "../../../flow/step-summary.ts";
import { Field, TextField } from "../../../ui/field.tsx";
import type { Edit } from "../use-draft.ts";

/** When is this line taken? What can be said depends on the step it comes from. */
export function EdgeInspector({
  draft,
  edgeId,
  edit,
  onGone,
}: {
  draft: Draft;
  edgeId: string;
  edit: Edit;
  onGone: () => void;
}) {
  const edge = draft.edges.find((entry, index) => edgeKey(entry, index) === edgeId);
  if (edge === undefined) return null;
  const source = draft.steps.find((step) => step.stepId === edge.source);
  const target = draft.steps.find((step) => step.stepId === edge.target);
  const change = (fields: Record<string, unknown>): void =>
    edit((now) => updateEdge(now, edgeId, fields), `edge:${edgeId}`);
  const { branching } = traitsOf(source?.type);
  const conditions = branching === "outcome" ? ["true", "false", "error"] : ["error"];
  return (
    <div className="stack">
      <div>
        <div className="caps">Line</div>
        <h2>
          {source === undefined ? edge.source : stepTitle(source)} →{" "}
          {target === undefined ? edge.target : stepTitle(target)}
        </h2>
      </div>
      <Field
        label="Taken when"
        hint="“error” is taken when the step before has failed for good; the run then goes on."
      >
        {(ids) => (
          <select
            className="in"
            {...ids}
            value={typeof edge["condition"] === "string" ? edge["condition"] : ""}
            onChange={(event) =>
              change({ condition: event.target.value === "" ? undefined : event.target.value })
            }
          >
            <option value="">{branching === "case" ? "By its case" : "Always, after success"}</option>
            {conditions.map((word) => (
              <option key={word}>{word}</option>
            ))}
          </select>
        )}
      </Field>
      {branching === "case" && (
        <TextField
          label="Case"
          value={formatValue(edge["caseValue"])}
          onChange={(text) => change({ caseValue: parseValue(text) })}
          hint="Taken when the value is this. Leave it empty for “everything else”."
        />
      )}
      <div>
        <button
          type="button"
          className="btn danger"
          onClick={() => {
            edit((now) => removeEdges(now, new Set([edgeId])));
            onGone();
          }}
        >
          <Trash2 size={14} /> Remove the line
        </button>
      </div>
    </div>
  );
}
