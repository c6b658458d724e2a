import { Check, ChevronLeft, ChevronRight, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import type { N8nNode } from "../../../contract/n8n-import.ts";
import { resultOf, type ReviewResult } from "../../flow/n8n-review.ts";
import { ClosePanelButton } from "../../ui/close-panel-button.tsx";
import { type ConnectionName, ConnectionWords, ResultChip, TargetIcon, TargetTitle } from "./node-table.tsx";
import { CodeDiff, ExpressionList } from "./rewrites.tsx";
import type { Target } from "./targets.ts";
import type { Review } from "./use-review.ts";

interface NodeDetailProps {
  review: Review;
  node: N8nNode;
  connectionName: ConnectionName;
}

/** One node: what to look at, its code and its expressions before and after. */
export function NodeDetail({ review, node, connectionName }: NodeDetailProps) {
  const { nodes, targets, checked } = review;
  const target = targets.of(node);
  const result = resultOf(node, checked);
  const open = nodes.filter((one) => one.result === "check");
  const position = open.indexOf(node);
  return (
    <aside
      ref={useKeptFocus(`${node.name} ${result}`)}
      className="n8n-detail"
      aria-label={`Node ${node.name}`}
      tabIndex={-1}
    >
      <header className="row">
        <TargetIcon target={target} />
        <div className="grow">
          <h2 className="ellipsis" title={node.name}>
            {node.name}
          </h2>
          <p className="xs muted ellipsis">
            <TargetTitle target={target} />
            {position >= 0 ? ` · ${position + 1} of ${open.length} to check` : ""}
          </p>
        </div>
        <Walk label="Previous node" shortcut="K" onClick={review.previous} icon={<ChevronLeft size={16} />} />
        <Walk label="Next node" shortcut="J" onClick={review.next} icon={<ChevronRight size={16} />} />
        <span className="n8n-close">
          <ClosePanelButton onClick={review.close} />
        </span>
      </header>
      {/* Another node starts at its top. */}
      <div key={node.name} className="n8n-detail-body">
        <Facts node={node} target={target} result={result} connectionName={connectionName} />
        <Explanation node={node} result={result} />
      </div>
      {node.result === "check" && (
        <CheckFooter
          isTrigger={node.becomes === "trigger"}
          isChecked={result === "checked"}
          onCheck={(isRight) => review.check(node.name, isRight)}
        />
      )}
    </aside>
  );
}

/** Over the list, the panel takes the focus; beside the list, only when the button that had it is gone. */
function useKeptFocus(shown: string) {
  const panel = useRef<HTMLElement>(null);
  const before = useRef(shown);
  useEffect(() => {
    if (panel.current !== null && getComputedStyle(panel.current).position === "fixed") panel.current.focus();
  }, []);
  useEffect(() => {
    if (before.current !== shown && document.activeElement === document.body) panel.current?.focus();
    before.current = shown;
  }, [shown]);
  return panel;
}

interface FactsProps {
  node: N8nNode;
  target: Target;
  result: ReviewResult;
  connectionName: ConnectionName;
}

function Facts({ node, target, result, connectionName }: FactsProps) {
  return (
    <dl className="n8n-facts small">
      <dt>n8n</dt>
      <dd className="mono breakable">{node.type}</dd>
      <dt>Becomes</dt>
      <dd>
        <TargetTitle target={target} />
        {target.detail !== "" && target.step?.type !== "app" && ` · ${target.detail}`}
      </dd>
      {node.connection !== undefined && (
        <>
          <dt>Connection</dt>
          <dd>
            <ConnectionWords node={node} nameOf={connectionName} />
          </dd>
        </>
      )}
      <dt>Result</dt>
      <dd>
        <ResultChip result={result} />
      </dd>
    </dl>
  );
}

function Explanation({ node, result }: { node: N8nNode; result: ReviewResult }) {
  const { note, code, expressions } = node;
  if (note === "" && code === undefined && expressions.length === 0)
    return <p className="small muted">It does the same as in n8n. There is nothing to look at.</p>;
  return (
    <>
      {note !== "" &&
        (result === "check" || result === "unsupported" ? (
          <div className={`notice ${result === "check" ? "wait" : "bad"}`}>
            <TriangleAlert size={15} aria-hidden />
            <span>{note}</span>
          </div>
        ) : (
          <p className="small">{note}</p>
        ))}
      {code !== undefined && <CodeDiff code={code} />}
      {expressions.length > 0 && <ExpressionList expressions={expressions} />}
    </>
  );
}

interface CheckFooterProps {
  isTrigger: boolean;
  isChecked: boolean;
  onCheck: (isRight: boolean) => void;
}

function CheckFooter({ isTrigger, isChecked, onCheck }: CheckFooterProps) {
  const todo = isTrigger ? "You add it in the builder." : "Unchecked steps are marked in the draft.";
  return (
    <footer className="row">
      <span className="small muted grow">{isChecked ? "Checked." : todo}</span>
      {isChecked ? (
        <button key="undo" type="button" className="btn" onClick={() => onCheck(false)}>
          Undo
        </button>
      ) : (
        <button key="check" type="button" className="btn go" onClick={() => onCheck(true)}>
          <Check size={14} aria-hidden /> {isTrigger ? "Got it" : "Looks right"}
        </button>
      )}
    </footer>
  );
}

interface WalkProps {
  label: string;
  shortcut: string;
  onClick: (() => void) | undefined;
  icon: ReactNode;
}

function Walk({ label, shortcut, onClick, icon }: WalkProps) {
  return (
    <button
      type="button"
      className="btn ghost icon"
      aria-label={label}
      title={`${label} (${shortcut})`}
      disabled={onClick === undefined}
      onClick={onClick}
    >
      {icon}
    </button>
  );
}
