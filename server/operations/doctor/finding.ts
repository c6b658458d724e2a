/** One line of `baton doctor`. */
export interface Finding {
  check: string;
  status: "ok" | "warn" | "problem";
  message: string;
  /** What to do about it. */
  action?: string;
}

export type Outcome = Omit<Finding, "check">;

export const ok = (message: string): Outcome => ({ status: "ok", message });
export const warn = (message: string, action: string): Outcome => ({ status: "warn", message, action });
export const problem = (message: string, action: string): Outcome => ({ status: "problem", message, action });
