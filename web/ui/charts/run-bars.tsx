import type { TaskStatus } from "../../api/types.ts";
import { statusLabel, toneOf } from "../status.tsx";
import "./charts.css";

interface RunBarsProps {
  /** Newest first, as the service returns them. */
  runs: readonly { status: TaskStatus; durationMs: number | null }[];
  /** How many bars there is room for. */
  count?: number;
}

const MIN_HEIGHT = 4;
const MAX_HEIGHT = 16;

/** The last runs, oldest at the left: colour is the status, height the duration compared with the longest. */
export function RunBars({ runs, count = 20 }: RunBarsProps) {
  const shown = runs.slice(0, count).toReversed();
  const longest = Math.max(1, ...shown.map(({ durationMs }) => scaled(durationMs)));
  const missing = count - shown.length;
  return (
    <span className="run-bars" role="img" aria-label={describe(shown)}>
      {Array.from({ length: missing }, (_, index) => (
        <i key={`none-${index}`} className="none" style={{ height: MIN_HEIGHT }} />
      ))}
      {shown.map(({ status, durationMs }, index) => (
        <i
          key={index}
          className={toneOf(status)}
          style={{ height: MIN_HEIGHT + (MAX_HEIGHT - MIN_HEIGHT) * (scaled(durationMs) / longest) }}
        />
      ))}
    </span>
  );
}

/** By the logarithm: one slow run must not flatten all others. */
function scaled(durationMs: number | null): number {
  return durationMs === null ? 0 : Math.log10(1 + durationMs);
}

function describe(runs: RunBarsProps["runs"]): string {
  if (runs.length === 0) return "No runs yet";
  const counts = new Map<TaskStatus, number>();
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  const words = [...counts].map(([status, count]) => `${count} ${statusLabel(status).toLowerCase()}`);
  return `Last ${runs.length} runs: ${words.join(", ")}`;
}
