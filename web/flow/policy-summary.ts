import type { Step } from "../../contract/graph.ts";
import { formatDuration } from "./typed-duration.ts";

/** "3 retries, then stop the run": what happens when a step fails. */
export function describeRetries(step: Step): string {
  const retries = typeof step["maxRetries"] === "number" ? step["maxRetries"] : 0;
  const end = step["onError"] === "continue" ? "continue with an empty output" : "stop the run";
  if (retries === 0) return end.charAt(0).toUpperCase() + end.slice(1);
  return `${retries} ${retries === 1 ? "retry" : "retries"}, then ${end}`;
}

/** "Timeout 30 s". */
export function describeLimits(step: Step): string {
  const { timeoutMs } = step;
  return typeof timeoutMs === "number" ? `Timeout ${formatDuration(timeoutMs)}` : "No time limit";
}

const JOINS: Readonly<Record<string, string>> = {
  any: "Starts with the first line",
  first: "Starts with the first success",
};

/** How the step joins several incoming lines, and what becomes of the runs that it starts. */
export function describeLines(step: Step): string {
  const parts = [JOINS[String(step["join"])] ?? "Waits for all lines"];
  if (step["onParentEnd"] === "continue") parts.push("started runs continue");
  return parts.join(", ");
}
