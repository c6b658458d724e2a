import type { Stats } from "../../api/stats.ts";
import type { Bar } from "./bar-chart.tsx";

/** The series of the service as bars, with times of the user's time zone. */
export function barsOf({ series, range }: Pick<Stats, "series" | "range">): Bar[] {
  return series.map((bucket) => ({
    label: bucketLabel(bucket.at, range),
    completed: bucket.completed,
    failed: bucket.failed,
    other: bucket.cancelled + bucket.rejected + bucket.running + bucket.waiting,
    previous: bucket.previousRuns,
  }));
}

export function bucketLabel(at: string, range: Stats["range"]): string {
  const time = new Date(at);
  const clock = time.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  if (range === "24h") return clock;
  const day = time.toLocaleDateString("en", { day: "numeric", month: "short" });
  return range === "7d" ? `${day}, ${clock}` : day;
}

export const BUCKET_NAMES: Record<Stats["range"], string> = {
  "24h": "hour",
  "7d": "six hours",
  "30d": "day",
};
