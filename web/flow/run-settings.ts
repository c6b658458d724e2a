import type { RunSettings, RunSettingsInput } from "../../contract/workflow-settings.ts";
import { formatDuration, parseDuration } from "./typed-duration.ts";

export type WhenFull = "queue" | "skip" | "replace";
export type OnConnectionProblem = "fail" | "wait";

/** The run settings as a form holds them: text while it is typed. */
export interface RunSettingsForm {
  timeout: string;
  /** Empty for none. */
  errorWorkflowId: string;
  /** Null for no limit. */
  limit: number | null;
  key: string;
  whenFull: WhenFull;
  onConnectionProblem: OnConnectionProblem;
}

export type RunSettingsProblems = Partial<Record<keyof RunSettingsForm, string>>;

export function runSettingsForm({
  timeoutMs,
  errorWorkflowId,
  concurrency,
  onConnectionProblem,
}: RunSettings = {}): RunSettingsForm {
  return {
    timeout: timeoutMs === undefined ? "" : formatDuration(timeoutMs),
    errorWorkflowId: errorWorkflowId ?? "",
    limit: concurrency?.limit ?? null,
    key: concurrency?.key ?? "",
    whenFull: concurrency?.whenFull ?? "queue",
    onConnectionProblem: onConnectionProblem ?? "fail",
  };
}

const MAX_DAYS = 366;
const MAX_LIMIT = 1000;

/** The problems of the form, by field. Those that only the service knows come with its response. */
export function runSettingsProblems({ timeout, limit }: RunSettingsForm): RunSettingsProblems {
  const problems: RunSettingsProblems = {};
  const timeoutMs = parseDuration(timeout, "s");
  if (timeout.trim() !== "") {
    if (timeoutMs === undefined) problems.timeout = "Write a duration such as 30 s, 5 min or 2 h.";
    else if (timeoutMs < 1) problems.timeout = "Write a duration above zero, or leave it empty for no limit.";
    else if (timeoutMs > MAX_DAYS * 86_400_000)
      problems.timeout = `The longest duration is ${MAX_DAYS} days.`;
  }
  if (limit !== null && (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT))
    problems.limit = `Write a whole number from 1 to ${MAX_LIMIT}, or leave it empty for no limit.`;
  return problems;
}

/** What is sent. `null` clears a setting. */
export function runSettingsInput({
  timeout,
  errorWorkflowId,
  limit,
  key,
  whenFull,
  onConnectionProblem,
}: RunSettingsForm): RunSettingsInput {
  const timeoutMs = parseDuration(timeout, "s");
  return {
    timeoutMs: timeoutMs === undefined ? null : Math.round(timeoutMs),
    errorWorkflowId: errorWorkflowId === "" ? null : errorWorkflowId,
    concurrency:
      limit === null ? null : { limit, ...(key.trim() === "" ? {} : { key: key.trim() }), whenFull },
    onConnectionProblem: onConnectionProblem === "fail" ? null : onConnectionProblem,
  };
}

const FIELDS: Readonly<Record<string, keyof RunSettingsForm>> = {
  "settings.timeoutMs": "timeout",
  "settings.errorWorkflowId": "errorWorkflowId",
  "settings.concurrency.limit": "limit",
  "settings.concurrency.key": "key",
};

/** The problems of a refused request, by field; empty when none of them belongs to a field. */
export function refusedRunSettings(code: string, details: unknown): RunSettingsProblems {
  if (code === "workflow_not_found")
    return { errorWorkflowId: "This workflow no longer exists. Select another one." };
  const problems: RunSettingsProblems = {};
  for (const { path, message } of Array.isArray(details)
    ? (details as { path: string; message: string }[])
    : []) {
    const field = FIELDS[path];
    if (field !== undefined) problems[field] = `${message[0]?.toUpperCase() ?? ""}${message.slice(1)}.`;
  }
  return problems;
}
