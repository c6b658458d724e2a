import type { ReactNode } from "react";
import type { DraftChange } from "../../../flow/draft-changes.ts";
import "./change-list.css";

const SIGNS = { added: "+", changed: "~", removed: "−" } as const;
/** A rebuilt workflow has hundreds of changes; the comparison on the canvas shows all of them. */
const MAX_SHOWN = 50;

interface ChangeListProps {
  changes: readonly DraftChange[];
  emptyText: string;
  /** What changed inside a step, below its line. */
  detailsOf?: (stepId: string) => ReactNode;
}

/** What differs, in words: a line for each step. */
export function ChangeList({ changes, emptyText, detailsOf }: ChangeListProps) {
  if (changes.length === 0) return <p className="changes-empty small muted">{emptyText}</p>;
  return (
    <ul className="plain-list change-list" aria-label="Changes">
      {changes.slice(0, MAX_SHOWN).map(({ kind, title, detail, values, stepId }, index) => (
        <li key={index} className={kind}>
          <i aria-hidden>{SIGNS[kind]}</i>
          <b className="ellipsis">{title}</b>
          {values === undefined ? (
            <span className="muted ellipsis">{detail === "" ? kind : detail}</span>
          ) : (
            <span className="ellipsis">
              <del>{values.before || "empty"}</del> → <ins>{values.after || "empty"}</ins>
            </span>
          )}
          {kind === "changed" && values === undefined && stepId !== undefined && detailsOf?.(stepId)}
        </li>
      ))}
      {changes.length > MAX_SHOWN && <li className="muted">{changes.length - MAX_SHOWN} more</li>}
    </ul>
  );
}
