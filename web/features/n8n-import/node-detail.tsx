import { Check, ChevronLeft, ChevronRight, TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import type { N8nNode } from "../../../contract/n8n-import.ts";
import { resultOf } from "../../flow/n8n-review.ts";
import { ClosePanelButton } from "../../ui/close-panel-button.tsx";
import { CodeDiff, ExpressionList } from "./rewrites.tsx";
import { type ConnectionName, ConnectionWords, ResultChip, TargetIcon, TargetTitle } from "./node-table.tsx";
import type { Targets } from "./targets.ts";

interface NodeDetailProps {
  node: N8nNode;
  /** In the order of the list. */
  nodes: readonly N8nNode[];
  targets: Targets;
  checked: ReadonlySet<string>;
  connectionName: ConnectionName;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onCheck: (isRight: boolean) => void;
  onClose: () => void;
}

/** One node: what to look at, its code and its expressions before and after. */
export function NodeDetail(props: NodeDetailProps) {
  const { node, nodes, targets, checked, onPrevious, onNext, onCheck, onClose } = props;
  const target = targets.of(node);
  const result = resultOf(node, checked);
  const open = nodes.filter((one) => one.result === "check");
  const position = open.indexOf(node);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // Over the list it takes the focus; beside the list the row keeps it.
    if (panel.current !== null && getComputedStyle(panel.current).position === "fixed") panel.current.focus();
  }, []);
  const shown = useRef({ name: node.name, result });
  useEffect(() => {
    const before = shown.current;
    shown.current = { name: node.name, result };
    // The button that was pressed is gone, and the focus with it.
    if ((before.name !== node.name || before.result !== result) && document.activeElement === document.body)
      panel.current?.focus();
  }, [node.name, result]);
  const isTrigger = node.becomes === "trigger";
  const isEmpty = node.note === "" && node.code === undefined && node.expressions.length === 0;
  return (
    <aside ref={panel} className="n8n-detail" aria-label={`Node ${node.name}`} tabIndex={-1}>
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
        <Walk label="Previous node" shortcut="K" onClick={onPrevious} icon={<ChevronLeft size={16} />} />
        <Walk label="Next node" shortcut="J" onClick={onNext} icon={<ChevronRight size={16} />} />
        <span className="n8n-close">
          <ClosePanelButton onClick={onClose} />
        </span>
      </header>
      {/* Another node starts at its top. */}
      <div key={node.name} className="n8n-detail-body">
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
                <ConnectionWords node={node} nameOf={props.connectionName} />
              </dd>
            </>
          )}
          <dt>Result</dt>
          <dd>
            <ResultChip result={result} />
          </dd>
        </dl>
        {node.note !== "" &&
          (result === "check" || result === "unsupported" ? (
            <div className={`notice ${result === "check" ? "wait" : "bad"}`}>
              <TriangleAlert size={15} aria-hidden />
              <span>{node.note}</span>
            </div>
          ) : (
            <p className="small">{node.note}</p>
          ))}
        {node.code !== undefined && <CodeDiff code={node.code} />}
        {node.expressions.length > 0 && <ExpressionList expressions={node.expressions} />}
        {isEmpty && <p className="small muted">It does the same as in n8n. There is nothing to look at.</p>}
      </div>
      {node.result === "check" && (
        <footer className="row">
          <span className="small muted grow">
            {result === "checked"
              ? "Checked."
              : isTrigger
                ? "You add it in the builder."
                : "Unchecked steps are marked in the draft."}
          </span>
          {result === "checked" ? (
            <button key="undo" type="button" className="btn" onClick={() => onCheck(false)}>
              Undo
            </button>
          ) : (
            <button key="check" type="button" className="btn go" onClick={() => onCheck(true)}>
              <Check size={14} aria-hidden /> {isTrigger ? "Got it" : "Looks right"}
            </button>
          )}
        </footer>
      )}
    </aside>
  );
}

interface WalkProps {
  label: string;
  shortcut: string;
  onClick: (() => void) | undefined;
  icon: React.ReactNode;
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
