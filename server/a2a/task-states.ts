import type { Task, TaskState } from "@a2a-js/sdk";

// The numbers of the protocol's enum: its module is loaded with the first A2A request only.
const TERMINAL: readonly TaskState[] = [3, 4, 5, 7];
const WAITING: readonly TaskState[] = [6, 8];

/** Completed, failed, canceled or rejected. */
export function isTerminal({ status }: Pick<Task, "status">): boolean {
  return status !== undefined && TERMINAL.includes(status.state);
}

/** The caller is asked for input. */
export function isWaiting({ status }: Pick<Task, "status">): boolean {
  return status !== undefined && WAITING.includes(status.state);
}
