const KEY = "baton.recent-steps";
const MAX_RECENT = 4;

/** The step types that were added last in this browser, newest first. */
export function recentStepTypes(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === "string") : [];
  } catch {
    return [];
  }
}

export function rememberStepType(type: string): void {
  try {
    const recent = [type, ...recentStepTypes().filter((entry) => entry !== type)].slice(0, MAX_RECENT);
    localStorage.setItem(KEY, JSON.stringify(recent));
  } catch {
    // Storage is full: the picker shows the older ones.
  }
}
