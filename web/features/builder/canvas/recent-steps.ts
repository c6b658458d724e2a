import { localValues } from "../../../api/browser-storage.ts";

const KEY = "baton.recent-steps";
const MAX_RECENT = 4;

/** The step types that were added last in this browser, newest first. */
export function recentStepTypes(): string[] {
  const stored = localValues.readJson(KEY);
  return Array.isArray(stored) ? stored.filter((entry) => typeof entry === "string") : [];
}

export function rememberStepType(type: string): void {
  const recent = [type, ...recentStepTypes().filter((entry) => entry !== type)].slice(0, MAX_RECENT);
  localValues.save(KEY, JSON.stringify(recent));
}
