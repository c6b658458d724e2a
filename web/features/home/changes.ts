import { duration } from "../../ui/time.ts";

/** "+8 %"; empty when there is nothing to compare with. */
export function percentChange(value: number, before: number): string {
  if (before === 0) return "";
  return `${signed(Math.round((value / before - 1) * 100))} %`;
}

/** The change of a rate in percentage points: "−1.9". */
export function pointsChange(rate: number | null, before: number | null): string {
  if (rate === null || before === null) return "";
  return signed(Math.round((rate - before) * 1000) / 10);
}

/** "+0.3 s" */
export function difference(ms: number | null, before: number | null): string {
  if (ms === null || before === null) return "";
  const change = ms - before;
  return change === 0 ? "±0" : `${change < 0 ? "−" : "+"}${duration(Math.abs(change))}`;
}

function signed(value: number): string {
  return value === 0 ? "±0" : `${value < 0 ? "−" : "+"}${Math.abs(value)}`;
}
