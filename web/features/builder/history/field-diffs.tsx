import { useMemo } from "react";
import type { FieldChange } from "../../../flow/compare-graphs.ts";
import { comparedValue } from "../../../flow/compare-runs.ts";
import { fieldLabel } from "../../../flow/draft-changes.ts";
import { diffWords } from "../../../flow/text-diff.ts";

/** The fields of a changed step, each as one text with what was removed and added. */
export function FieldDiffs({ fields }: { fields: readonly FieldChange[] }) {
  return (
    <dl className="field-diffs">
      {fields.map((field) => (
        <FieldDiff key={field.name} field={field} />
      ))}
    </dl>
  );
}

function FieldDiff({ field: { name, before, after } }: { field: FieldChange }) {
  const parts = useMemo(() => {
    const texts = comparedValue(before, after);
    return diffWords(texts.before, texts.after);
  }, [before, after]);
  return (
    <>
      <dt className="xs muted">{fieldLabel(name)}</dt>
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
