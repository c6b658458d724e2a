import { useMemo } from "react";
import type { FieldChange } from "../../../flow/compare-graphs.ts";
import { fieldLabel, fieldText } from "../../../flow/draft-changes.ts";
import { diffWords } from "../../../flow/text-diff.ts";

/** The fields of a changed step, each as one text with what was removed and added. */
export function FieldDiffs({ fields, type }: { fields: readonly FieldChange[]; type: string }) {
  return (
    <dl className="field-diffs">
      {fields.map((field) => (
        <FieldDiff key={field.name} field={field} type={type} />
      ))}
    </dl>
  );
}

function FieldDiff({ field: { name, before, after }, type }: { field: FieldChange; type: string }) {
  const parts = useMemo(
    () => diffWords(fieldText(type, name, before), fieldText(type, name, after)),
    [type, name, before, after],
  );
  return (
    <>
      <dt className="xs muted">{fieldLabel(type, name)}</dt>
      <dd>
        {parts.map(({ kind, items }, index) =>
          kind === "removed" ? (
            <del key={index}>{items.join("")}</del>
          ) : kind === "added" ? (
            <ins key={index}>{items.join("")}</ins>
          ) : (
            <span key={index}>{items.join("")}</span>
          ),
        )}
      </dd>
    </>
  );
}
