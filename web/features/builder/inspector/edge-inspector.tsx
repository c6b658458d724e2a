import { Trash2 } from "lucide-react";
import { traitsOf } from "../../../../contract/steps/catalogue.ts";
import { type Draft, edgeKey, removeEdges, updateEdge } from "../../../flow/draft.ts";
import { parseValue, formatValue } from "../../../flow/form-fields.ts";
import { stepTitle } from "../../../../contract/graph/step-titles.ts";
import { Field, TextField } from "../../../ui/field.tsx";
import type { Edit } from "../use-draft.ts";

const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  outcome: ["true", "false"],
  timeout: ["timeout"],
};

/** The condition of an edge. Which conditions are possible depends on the type of its source step. */
export function EdgeInspector({
  draft,
  edgeId,
  edit,
  onDeleted,
}: {
  draft: Draft;
  edgeId: string;
  edit: Edit;
  onDeleted: () => void;
}) {
  const edge = draft.edges.find((entry, index) => edgeKey(entry, index) === edgeId);
  if (edge === undefined) return null;
  const source = draft.steps.find((step) => step.stepId === edge.source);
  const target = draft.steps.find((step) => step.stepId === edge.target);
  const change = (fields: Record<string, unknown>): void =>
    edit((now) => updateEdge(now, edgeId, fields), `edge:${edgeId}`);
  const { branching } = traitsOf(source?.type);
  const conditions = [...(CONDITIONS[branching ?? ""] ?? []), "error"];
  return (
    <div className="stack">
      <div>
        <div className="caps">Edge</div>
        <h2>
          {source === undefined ? edge.source : stepTitle(source)} →{" "}
          {target === undefined ? edge.target : stepTitle(target)}
        </h2>
      </div>
      <Field
        label="Condition"
        hint="“error” edges are followed when the step before has failed after all retries. The run then continues."
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
            <option value="">{branching === "case" ? "Match case" : "On success"}</option>
            {conditions.map((condition) => (
              <option key={condition}>{condition}</option>
            ))}
          </select>
        )}
      </Field>
      {branching === "case" && (
        <TextField
          label="Case"
          value={formatValue(edge["caseValue"])}
          onChange={(text) => change({ caseValue: parseValue(text) })}
          hint="Followed when the value equals this. Leave empty for the default case."
        />
      )}
      <div>
        <button
          type="button"
          className="btn danger"
          onClick={() => {
            edit((now) => removeEdges(now, new Set([edgeId])));
            onDeleted();
          }}
        >
          <Trash2 size={14} /> Delete edge
        </button>
      </div>
    </div>
  );
}
