import { ArrowRight } from "lucide-react";
import { useState } from "react";
import type { N8nNode } from "../../../contract/n8n-import.ts";
import { RESULT_LABELS, resultOf, type ReviewResult } from "../../flow/n8n-review.ts";
import { AppWords, StepTile } from "../canvas/step-tile.tsx";
import { TRIGGERS, type TriggerKind } from "../workflows/triggers.tsx";
import type { Target, Targets } from "./targets.ts";

/** More ready nodes than these are folded: they need nobody. */
const READY_SHOWN = 5;
const READY_FOLDED_FROM = 9;

interface NodeTableProps {
  nodes: readonly N8nNode[];
  targets: Targets;
  checked: ReadonlySet<string>;
  selected: string | undefined;
  onSelect: (name: string) => void;
  /** Not filtered. */
  isWhole: boolean;
}

export function NodeTable({ nodes, targets, checked, selected, onSelect, isWhole }: NodeTableProps) {
  const [isFolded, setFolded] = useState(
    () => isWhole && nodes.filter(({ result }) => result === "ready").length >= READY_FOLDED_FROM,
  );
  if (nodes.length === 0) return <p className="muted n8n-empty">No nodes.</p>;
  const others = nodes.filter(({ result }) => result !== "ready").length;
  // A ready node that is selected, such as on the canvas, is not hidden.
  const isSelectedFolded = nodes.findIndex(({ name }) => name === selected) >= others + READY_SHOWN;
  const shown = isFolded && !isSelectedFolded ? nodes.slice(0, others + READY_SHOWN) : nodes;
  return (
    <>
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th>n8n node</th>
              <th>Becomes</th>
              <th>Result</th>
              <th className="n8n-note">Note</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((node) => (
              <tr
                key={node.name}
                className={node.name === selected ? "n8n-selected" : undefined}
                onClick={() => onSelect(node.name)}
              >
                <td>
                  {/* Its click reaches the row. */}
                  <button
                    type="button"
                    className="link-button n8n-name"
                    aria-current={node.name === selected ? "true" : undefined}
                  >
                    {node.name}
                  </button>
                  <div className="xs muted mono breakable">{node.type}</div>
                </td>
                <td>
                  <span className="row n8n-target">
                    <ArrowRight size={13} aria-hidden className="wide-only" />
                    <TargetIcon target={targets.of(node)} />
                    <TargetWords target={targets.of(node)} />
                  </span>
                </td>
                <td>
                  <ResultChip result={resultOf(node, checked)} />
                </td>
                <td className="n8n-note small">{node.note}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < nodes.length && (
        <button type="button" className="n8n-fold" onClick={() => setFolded(false)}>
          {nodes.length - shown.length} more ready nodes
        </button>
      )}
    </>
  );
}

const TONES: Readonly<Record<ReviewResult, string>> = {
  ready: "ok",
  checked: "ok",
  check: "wait",
  unsupported: "bad",
};

export function ResultChip({ result }: { result: ReviewResult }) {
  return <span className={`chip ${TONES[result]}`}>{RESULT_LABELS[result]}</span>;
}

export function TargetIcon({ target: { step, trigger } }: { target: Target }) {
  if (step !== undefined) return <StepTile type={step.type} app={step["app"]} />;
  const Icon =
    TRIGGERS[trigger !== undefined && trigger.kind in TRIGGERS ? (trigger.kind as TriggerKind) : "manual"]
      .icon;
  return <span className="tile">{trigger !== undefined && <Icon size={16} aria-hidden />}</span>;
}

export function TargetWords({ target: { title, detail, step } }: { target: Target }) {
  const app = step?.type === "app" && typeof step["app"] === "string" ? step["app"] : undefined;
  return (
    <span className="n8n-words">
      <b>{title}</b>
      <span className="xs muted">
        {app === undefined ? detail : <AppWords app={app} action={step?.["action"]} fallback={detail} />}
      </span>
    </span>
  );
}
