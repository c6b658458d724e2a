import { useMemo } from "react";
import { compareGraphs, type FieldChange, type NamedGraph } from "../../../flow/compare-graphs.ts";
import { formatValue } from "../../../flow/form-fields.ts";
import "./versions.css";

const TONE = { added: "ok", removed: "bad", changed: "run" } as const;

/** The differences between two graphs, by step and field. */
export function GraphChanges({ before, after }: { before: NamedGraph; after: NamedGraph }) {
  const changes = useMemo(() => compareGraphs(before, after), [before, after]);
  if (Object.values(changes).every((list) => list.length === 0)) return <p className="muted">No changes.</p>;
  return (
    <ul className="plain-list changes">
      {changes.workflowFields.length > 0 && (
        <li className="stack tight">
          <FieldChanges fields={changes.workflowFields} />
        </li>
      )}
      {changes.steps.map((change) => (
        <li key={change.stepId} className="stack tight">
          <div className="row">
            <span className={`chip ${TONE[change.kind]}`}>{change.kind}</span>
            <code>{change.stepId}</code>
          </div>
          <FieldChanges fields={change.fields} />
        </li>
      ))}
      {[
        ...changes.addedEdges.map((edge) => ({ edge, kind: "added" as const })),
        ...changes.removedEdges.map((edge) => ({ edge, kind: "removed" as const })),
      ].map(({ edge, kind }, index) => (
        <li key={index} className="row">
          <span className={`chip ${TONE[kind]}`}>{kind}</span>
          <span className="small">
            edge <code>{edge.source}</code> → <code>{edge.target}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}

function FieldChanges({ fields }: { fields: readonly FieldChange[] }) {
  return fields.map((field) => (
    <div key={field.name} className="change-field small">
      <span className="muted">{field.name}</span>
      <del>{formatValue(field.before) || "empty"}</del>
      <ins>{formatValue(field.after) || "empty"}</ins>
    </div>
  ));
}
