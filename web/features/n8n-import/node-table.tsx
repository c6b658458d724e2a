import { ArrowRight } from "lucide-react";
import { useState } from "react";
import type { N8nNode } from "../../../contract/n8n-import.ts";
import { RESULT_LABELS, resultOf, type ReviewResult } from "../../flow/n8n-review.ts";
import { AppWords, StepTile } from "../canvas/step-tile.tsx";
import { TRIGGERS, type TriggerKind } from "../workflows/triggers.tsx";
import { PLACEHOLDER, type Target, type Targets } from "./targets.ts";
// The tiles of steps.
import "../canvas/canvas.css";

/** More ready nodes than these are folded: they need nobody. */
const READY_SHOWN = 5;
const READY_FOLDED_FROM = 9;

interface NodeTableProps {
  nodes: readonly N8nNode[];
  targets: Targets;
  checked: ReadonlySet<string>;
  selected: string | undefined;
  onSelect: (name: string) => void;
  connectionName: ConnectionName;
  /** Not filtered. */
  isWhole: boolean;
}

export function NodeTable(props: NodeTableProps) {
  const { nodes, targets, checked, selected, onSelect, connectionName, isWhole } = props;
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
                  <div className="xs muted mono breakable">{shortType(node.type)}</div>
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
                <td className="n8n-note small">
                  {node.note} <ConnectionWords node={node} nameOf={connectionName} />
                </td>
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

/** Without the packages that come with n8n. */
function shortType(type: string): string {
  return type.replace(/^(?:n8n-nodes-base|@n8n\/n8n-nodes-langchain)\./, "");
}

export type ConnectionName = (id: string) => string;

/** The connection that a node needs, when it needs one. */
export function ConnectionWords({ node, nameOf }: { node: N8nNode; nameOf: ConnectionName }) {
  if (node.connection === undefined) return null;
  const { chosen } = node.connection;
  return chosen === undefined ? (
    <span className="n8n-warning">No connection chosen.</span>
  ) : (
    <span>Connection: {nameOf(chosen)}.</span>
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

function TargetWords({ target }: { target: Target }) {
  return (
    <span className="n8n-words">
      <b>
        <TargetTitle target={target} />
      </b>
      {!isApp(target) && <span className="xs muted">{target.detail}</span>}
    </span>
  );
}

const isApp = ({ step, title }: Target): boolean => step?.type === "app" && title !== PLACEHOLDER;

/** An app step in the words of its app: "Slack · Send a message". */
export function TargetTitle({ target }: { target: Target }) {
  const { step, title, detail } = target;
  if (!isApp(target)) return <>{title}</>;
  return <AppWords app={String(step?.["app"])} action={step?.["action"]} fallback={detail} />;
}
