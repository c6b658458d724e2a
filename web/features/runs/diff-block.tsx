import { useMemo } from "react";
import { isLargeValue } from "../../api/large-values.ts";
import type { StepResult } from "../../api/types.ts";
import { comparedValue, outcomeOf } from "../../flow/compare-runs.ts";
import { diffLines, type DiffRow, diffWords } from "../../flow/text-diff.ts";
import { toneOf } from "../../ui/status.tsx";
import { StoredValue } from "../output/stored-value.tsx";

export type DiffLayout = "split" | "unified";

interface DiffBlockProps {
  id: string;
  title: string;
  detail?: string;
  before: unknown;
  after: unknown;
  /** Status, time and attempts of a step on both sides. */
  results?: readonly [StepResult | undefined, StepResult | undefined];
  /** Lines with the same key count as equal. */
  keyOf: (text: string) => string;
  layout: DiffLayout;
  /** Leaves the block out when nothing differs. */
  isHidden?: boolean;
}

/** A value of both runs: lines of JSON side by side, or prose by words. */
export function DiffBlock(props: DiffBlockProps) {
  const { id, title, detail, before, after, results, keyOf, layout, isHidden = false } = props;
  const value = useMemo(() => comparedValue(before, after), [before, after]);
  const rows = useMemo(() => diffLines(value.before, value.after, keyOf), [value, keyOf]);
  const changed = rows.filter(({ kind }) => kind === "changed");
  if (isHidden && changed.length === 0) return null;
  const isLarge = isLargeValue(before) || isLargeValue(after);
  return (
    <section id={id} className="card diff-block" tabIndex={-1} aria-label={`Differences of ${title}`}>
      <header className="row">
        <h2>{title}</h2>
        {detail !== undefined && <span className="muted small">{detail}</span>}
        <span className="grow" />
        <span className="small diff-minus">−{changed.filter(({ left }) => left !== undefined).length}</span>
        <span className="small diff-plus">+{changed.filter(({ right }) => right !== undefined).length}</span>
      </header>
      {results !== undefined && (
        <div className="diff-outcomes small">
          {results.map((result, side) => (
            <span key={side} className={toneOf(result?.status)}>
              {outcomeOf(result)}
            </span>
          ))}
        </div>
      )}
      {isLarge ? (
        <div className="side-by-side pad">
          <StoredValue value={before} />
          <StoredValue value={after} />
        </div>
      ) : changed.length === 0 ? (
        <p className="diff-fold">Equal</p>
      ) : value.isProse ? (
        <Words before={value.before} after={value.after} />
      ) : (
        <Lines rows={rows} layout={layout} />
      )}
    </section>
  );
}

function Words({ before, after }: { before: string; after: string }) {
  const parts = diffWords(before, after);
  return (
    <div className="diff-words">
      <p>
        {parts.map(({ kind, items }, at) =>
          kind === "added" ? null : kind === "removed" ? (
            <del key={at}>{items.join("")}</del>
          ) : (
            <span key={at}>{items.join("")}</span>
          ),
        )}
      </p>
      <p>
        {parts.map(({ kind, items }, at) =>
          kind === "removed" ? null : kind === "added" ? (
            <ins key={at}>{items.join("")}</ins>
          ) : (
            <span key={at}>{items.join("")}</span>
          ),
        )}
      </p>
    </div>
  );
}

/** Equal lines around a difference; longer stretches are folded. */
const CONTEXT = 2;

type Shown = { fold: number } | DiffRow;

function foldEqual(rows: readonly DiffRow[]): Shown[] {
  const near = new Set<number>();
  rows.forEach(({ kind }, index) => {
    if (kind === "changed") for (let by = -CONTEXT; by <= CONTEXT; by += 1) near.add(index + by);
  });
  const shown: Shown[] = [];
  rows.forEach((row, index) => {
    const last = shown.at(-1);
    if (near.has(index)) shown.push(row);
    else if (last !== undefined && "fold" in last) last.fold += 1;
    else shown.push({ fold: 1 });
  });
  return shown;
}

function Lines({ rows, layout }: { rows: readonly DiffRow[]; layout: DiffLayout }) {
  return (
    <div className={`diff-lines ${layout}`} tabIndex={0} role="group" aria-label="Lines">
      {foldEqual(rows).map((row, index) =>
        "fold" in row ? (
          <span key={index} className="diff-fold">
            {row.fold === 1 ? "1 equal line" : `${row.fold} equal lines`}
          </span>
        ) : layout === "split" ? (
          <SplitRow key={index} row={row} />
        ) : (
          <UnifiedRow key={index} row={row} />
        ),
      )}
    </div>
  );
}

function SplitRow({ row: { kind, left, right } }: { row: DiffRow }) {
  const isChanged = kind === "changed";
  return (
    <>
      <span className="diff-number">{left?.number}</span>
      <code className={left === undefined ? "void" : isChanged ? "removed" : ""}>{left?.text}</code>
      <span className="diff-number">{right?.number}</span>
      <code className={right === undefined ? "void" : isChanged ? "added" : ""}>{right?.text}</code>
    </>
  );
}

function UnifiedRow({ row: { kind, left, right } }: { row: DiffRow }) {
  if (kind === "same")
    return (
      <>
        <span className="diff-number">{right?.number}</span>
        <code>{right?.text}</code>
      </>
    );
  return (
    <>
      {left !== undefined && (
        <>
          <span className="diff-number">{left.number}</span>
          <code className="removed">{left.text}</code>
        </>
      )}
      {right !== undefined && (
        <>
          <span className="diff-number">{right.number}</span>
          <code className="added">{right.text}</code>
        </>
      )}
    </>
  );
}
