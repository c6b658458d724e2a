import type { FinishedRun } from "../worker/live-runs.ts";

/** The finished run of a task, when the hint carries it. */
export type FinishedOf = (taskId: string) => FinishedRun | undefined;

/**
 * The other processes on the same database. Messages are hints and may be lost: the rows are the source of truth, and
 * every process also polls them.
 */
export interface Peers {
  /** Under which the peer that ends a task reaches this process; null when it has none. Only rows of tasks hold it. */
  readonly id: string | null;
  /** Work is due that this process does not claim itself; without a lane, in any of them. */
  workIsDue(lane?: string): void;
  /** A task has changed outside its run. Any peer may run it, wait for it or follow it. */
  taskChanged(taskId: string): void;
  /** Entries of a run are stored: for the peer whose caller waits for the task, and those that watch it. */
  taskRecorded(
    taskId: string,
    recorded: {
      hasEnded: boolean;
      waiter: string | undefined;
      /** For the waiter, which then reads no row. */
      finished?: FinishedRun | undefined;
    },
  ): void;
  /** This process follows a task that a peer may run. Returns the function that ends it. */
  watch(taskId: string): () => void;
  /** Resolves to the function that stops listening. */
  listen(listener: PeerListener): Promise<() => Promise<void>>;
}

export interface PeerListener {
  workIsDue(lanes: readonly string[] | "any"): void;
  /** How many processes receive messages. */
  processes?(): number;
  /** `any`: messages may have been missed. */
  tasksChanged(taskIds: readonly string[] | "any", finished?: FinishedOf): void;
}

/** A single process on its own data folder has no peers. */
export const noPeers: Peers = {
  id: null,
  workIsDue: () => undefined,
  taskChanged: () => undefined,
  taskRecorded: () => undefined,
  watch: () => () => undefined,
  listen: () => Promise.resolve(() => Promise.resolve()),
};
