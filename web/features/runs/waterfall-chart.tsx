import { useEffect, useMemo, useState } from "react";
import type { Step } from "../../../contract/graph.ts";
import { isFinal } from "../../api/tasks.ts";
import type { RunProgress } from "../../flow/run-progress.ts";
import { stepTitle } from "../../flow/step-summary.ts";
import { waterfall, type WaterfallRow } from "../../flow/waterfall.ts";
import { statusLabel, toneOf } from "../../ui/status.tsx";
import { duration, shortDateTime } from "../../ui/time.ts";
import "./runs.css";

const TICK_MS = 250;

interface WaterfallProps {
  progress: RunProgress;
  steps: readonly Step[];
  selected?: string | undefined;
  onSelect: (stepId: string) => void;
}

/** Start and duration of every step on one time scale. */
export function Waterfall({ progress, steps, selected, onSelect }: WaterfallProps) {
  const [now, setNow] = useState(Date.now);
  const live = !isFinal(progress.status);
  useEffect(() => {
    if (!live) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [live]);
  const { rows } = waterfall(progress.steps.values(), now);
  const titles = useMemo(() => new Map(steps.map((step) => [step.stepId, stepTitle(step)])), [steps]);
  if (rows.length === 0) return <p className="small muted">No step has started yet.</p>;
  return (
    <div className="waterfall">
      {rows.map((row) => (
        <button
          key={row.stepId}
          type="button"
          className="waterfall-row"
          aria-pressed={selected === row.stepId}
          data-step={row.stepId}
          data-status={row.status}
          onClick={() => onSelect(row.stepId)}
        >
          <span className="ellipsis">{titles.get(row.stepId) ?? row.stepId}</span>
          <span className="bar">
            <i className={toneOf(row.status)} style={{ left: `${row.left}%`, width: `${row.width}%` }} />
          </span>
          <span className="muted waterfall-note">{noteOf(row)}</span>
        </button>
      ))}
    </div>
  );
}

function noteOf({ status, durationMs, dueAt }: WaterfallRow): string {
  if (dueAt !== null) return `until ${shortDateTime(dueAt)}`;
  return durationMs === null || status === "skipped" ? statusLabel(status) : duration(durationMs);
}
